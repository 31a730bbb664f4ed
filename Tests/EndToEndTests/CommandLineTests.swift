import FasciaProcesses
import Foundation
import Testing

/// What users get wrong is told with its cause and a way out.
extension EndToEnd {
    @Suite struct CommandLineTests {
        @Test(arguments: [
            ("fascia-headunit", ["--headless", "--profile", "no-such-profile"], "no-such-profile"),
            ("fascia-headunit", ["--headless", "--script", "/nonexistent/tour"], "/nonexistent/tour"),
            ("fascia-headunit", ["--headless", "--listen", "nonsense"], "HOST:PORT"),
            ("fascia-headunit", ["--headless", "--pairing-code", "12"], "12"),
            ("fascia-phone", ["run", "--car", "x", "--connect", "127.0.0.1:1"], "either --car"),
            ("fascia-phone", ["run", "--connect", "127.0.0.1"], "HOST:PORT"),
            ("fascia-phone", ["run", "--connect", "127.0.0.1:1", "--code", "12"], "six digits"),
            ("fascia-phone", ["run", "--connect", "127.0.0.1:1", "--app", "/nonexistent/App"], "/nonexistent/App"),
            ("fascia-phone", ["run", "--connect", "127.0.0.1:1", "--app", "/bin/true"], "Info.plist"),
            ("fascia-phone", ["run", "--connect", "127.0.0.1:1", "--name", "\u{1b}[31m"], "control characters"),
            ("fascia-phone", ["forget", "nobody"], "nobody"),
        ])
        func mistakesAreNamed(program: String, arguments: [String], hint: String) async throws {
            let bench = try TestBench()
            let state = arguments.first == "forget" || arguments.first == "run" || program == "fascia-headunit" ? ["--state-dir", bench.path("state")] : []
            let process = try await ChildProgram(TestBench.program(program), arguments + state)
            let status = try await process.exitStatus()
            #expect(status > 0)
            #expect(process.transcript.contains(hint), "\(process.transcript)")
        }

        @Test func aPortInUseIsNamed() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly()
            let second = try await ChildProgram(TestBench.program("fascia-headunit"), ["--headless", "--no-discovery", "--listen", bench.address, "--state-dir", bench.path("second")])
            #expect(try await second.exitStatus() == 1)
            let port = try #require(bench.address.split(separator: ":").last)
            #expect(second.transcript.contains(port), "\(second.transcript)")
        }

        @Test func aFullDiskUnderTheEventFileIsReportedOnceAndTheWorkGoesOn() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(events: "/dev/full")
            try await bench.startPhone(["--connect", bench.address])
            try await bench.console("wait \"Rubber Soul\" 30")
            let complaints = bench.headUnit?.transcript.components(separatedBy: "/dev/full").count ?? 0
            #expect(complaints == 2, "one complaint: \(bench.headUnit?.transcript ?? "")")
        }

        @Test func aDamagedTrustStoreIsNamedAndLeftAsItIs() async throws {
            let bench = try TestBench()
            try FileManager.default.createDirectory(atPath: bench.path("car"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let file = bench.path("car") + "/trust.json"
            _ = FileManager.default.createFile(atPath: file, contents: Data("{ not json".utf8), attributes: [.posixPermissions: 0o600])
            let headUnit = try await bench.startHeadUnit(["--no-discovery", "--listen", "127.0.0.1:0"])
            #expect(try await headUnit.exitStatus() == 1)
            #expect(headUnit.transcript.contains("trust.json"))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "{ not json")
        }

        @Test func theFirstErrorOfAScriptEndsItWithStatusOne() async throws {
            let bench = try TestBench()
            let script = bench.path("script")
            try "wait \"Waiting for phone\"\ntap \"No Such Thing\"\nscreenshot \(bench.path("never.png"))\n".write(toFile: script, atomically: true, encoding: .utf8)
            let headUnit = try await bench.startHeadUnit(["--no-discovery", "--listen", "127.0.0.1:0", "--script", script])
            #expect(try await headUnit.exitStatus() == 1)
            #expect(headUnit.transcript.contains("error"))
            #expect(!FileManager.default.fileExists(atPath: bench.path("never.png")))
        }

        @Test func aScriptMayComeThroughAPipeOrStandardInput() async throws {
            let bench = try TestBench()
            let common = "exec \"$0\" --headless --no-discovery --listen 127.0.0.1:0 --state-dir \"$1\" --script"
            let program = TestBench.programs.appendingPathComponent("fascia-headunit").path
            for script in ["\(common) <(echo 'wait \"Waiting for phone\"; quit')", "echo 'wait \"Waiting for phone\"; quit' | (\(common) -)"] {
                let process = try await ChildProgram("/bin/bash", ["-c", script, program, bench.path("car")])
                #expect(try await process.exitStatus() == 0, "\(process.transcript)")
                #expect(process.transcript.contains("ok quit"))
            }
            let directory = try await bench.startHeadUnit(["--script", bench.directory.path])
            #expect(try await directory.exitStatus() == 1)
            #expect(directory.transcript.contains("directory"))
        }

        /// What goes to a standard stream that is not there must not end up in a file of ours.
        @Test func closedStandardStreamsStayFreeOfFilesAndSockets() async throws {
            let bench = try TestBench()
            let programs = [
                "fascia-headunit --headless --no-discovery --listen 127.0.0.1:0", "fascia-phone run --connect 127.0.0.1:9 --code 123456",
            ]
            for (number, program) in programs.enumerated() {
                let script = """
                    mkfifo "$1/events\(number)"
                    $0/\(program) --state-dir "$1/\(number)" --events "$1/events\(number)" <&- >&- 2>&- & pid=$!
                    exec 5<"$1/events\(number)"; read -r -u 5 line
                    for n in 0 1 2; do readlink "/proc/$pid/fd/$n"; done
                    kill "$pid"
                    """
                let process = try await ChildProgram("/bin/bash", ["-c", script, TestBench.programs.path, bench.directory.path])
                #expect(try await process.exitStatus() == 0, "\(process.transcript)")
                #expect(process.transcript == "/dev/null\n/dev/null\n/dev/null", "\(program)")
            }
        }

        @Test func aClosedTerminalIsAGoodbye() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            _ = kill(try #require(bench.phone?.pid), SIGHUP)
            #expect(try await bench.phone?.exitStatus() == 0)
            _ = try await bench.require(car: "disconnected")
            _ = kill(try #require(bench.headUnit?.pid), SIGHUP)
            #expect(try await bench.headUnit?.exitStatus() == 0)
        }

        @Test func secretsAreReadableByTheirOwnerOnly() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            for side in ["car", "phone"] {
                for file in try FileManager.default.contentsOfDirectory(atPath: bench.path(side)) {
                    let mode = try FileManager.default.attributesOfItem(atPath: "\(bench.path(side))/\(file)")[.posixPermissions] as? Int
                    #expect(mode.map { $0 & 0o077 } == 0, "\(side)/\(file)")
                }
            }
        }
    }
}
