import ArgumentParser
import FasciaLab
import Glibc

struct LabExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Becomes a program on a host: same process, working directory, environment and streams.",
        discussion: "Exit status 126 or 127 when the program cannot be run, as a shell's, else the program's.")

    @OptionGroup var name: LabName
    @Argument(help: "car or phone.") var host: String
    @Argument(parsing: .captureForPassthrough, help: "A program and its arguments.") var command: [String] = []

    func run() async throws {
        guard let host = LabHost(rawValue: host) else { throw ValidationError("There is no host \"\(host)\"; there are car and phone.") }
        let command = command.first == "--" ? Array(command.dropFirst()) : command
        guard let program = command.first else { throw ValidationError("Which program? fascia lab exec \(host.rawValue) -- PROGRAM [ARGUMENT]...") }
        try await withLab(name.name) { lab in
            do throws(LabError) { try lab.become(on: host, program, Array(command.dropFirst())) } catch {
                guard error.code == .cannotRun else { throw error }
                Output.note("fascia lab: \(error.description)")
                throw ExitCode(errno == ENOENT ? 127 : 126)
            }
        }
    }
}
