import FasciaProcesses
import Testing

struct SystemCommandTests {
    @Test(arguments: ["sh", "/bin/sh"])
    func byNameAndByPath(_ program: String) async throws {
        let (status, output) = try await SystemCommand.run(program, ["-c", "echo said; echo wrong >&2; exit 3"])
        #expect(status == 3)
        #expect(output == "said\nwrong\n")
    }
}
