import FasciaProcesses
import Foundation
import Testing

@Suite struct ChildProgramTests {
    @Test func aConsoleAnswersAndItsEndIsNoticed() async throws {
        let directory = try TemporaryDirectory()
        let script = "while read line; do echo noise; echo \"ok $line\"; echo why >&2; done"
        let child = try await ChildProgram("/bin/sh", ["-c", script], errors: .file(directory.file("log")))
        #expect(try await child.ask("hello") == "hello")
        #expect(child.status == nil)
        child.end()
        #expect(try await child.exitStatus() == -SIGTERM)
        #expect(child.lastErrors() == "why")
        await #expect(throws: ToolError.self) { try await child.ask("hello", within: .seconds(1)) }
    }

    @Test func statusSignalAndTheLastLineWithoutAnEnd() async throws {
        let child = try await ChildProgram("/bin/sh", ["-c", "printf 'one\\ntwo'; exit 3"])
        #expect(try await child.exitStatus() == 3)
        #expect(child.transcript == "one\ntwo")
        let killed = try await ChildProgram("/bin/sleep", ["100"])
        killed.signal(SIGKILL)
        #expect(try await killed.exitStatus() == -SIGKILL)
    }

    @Test func whoIgnoresTheRequestToEndIsEndedAllTheSame() async throws {
        let child = try await ChildProgram("/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"])
        try await child.line { $0 == "ready" }
        child.end()
        #expect(try await child.exitStatus() == -SIGKILL)
    }

    @Test func environmentAndErrorsAreMerged() async throws {
        let child = try await ChildProgram("/bin/sh", ["-c", "echo $FASCIA_TEST >&2; cat"], environment: ["FASCIA_TEST": "yes"])
        try await child.line { $0 == "yes" }
        child.say("echoed")
        try await child.line { $0 == "echoed" }
        child.closeInput()
        #expect(try await child.exitStatus() == 0)
    }

    @Test func whatCannotBeStartedIsNamed() async throws {
        await #expect { try await ChildProgram("/nonexistent/program", []) } throws: { "\($0)".contains("/nonexistent/program") }
    }

    @Test func manyShortProgramsLeaveNothingOpen() async throws {
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        try await run(10)
        let before = try descriptors()
        try await run(100)
        #expect(try descriptors() <= before + 2)

        func run(_ count: Int) async throws {
            for number in 0..<count {
                let child = try await ChildProgram("/bin/echo", ["\(number)"])
                #expect(try await child.exitStatus() == 0)
                #expect(child.transcript == "\(number)")
            }
        }
    }
}
