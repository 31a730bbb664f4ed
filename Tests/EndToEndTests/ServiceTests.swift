import FasciaProcesses
import Foundation
import Testing

/// Both programs under a service manager: the test's own socket stands for systemd's.
extension EndToEnd {
    @Suite struct ServiceTests {
        @Test(arguments: [false, true])
        func readyAliveAndStopping(_ abstract: Bool) async throws {
            let bench = try TestBench()
            let car = try NotifySocket(in: bench.directory.path, abstract: abstract)
            try await bench.startHeadUnitDirectly(environment: ["NOTIFY_SOCKET": car.name, "WATCHDOG_USEC": "200000"])
            try car.wait(for: "READY=1")
            try car.wait(for: "WATCHDOG=1")
            let directory = bench.directory.appendingPathComponent("phone-manager")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let manager = try NotifySocket(in: directory.path, abstract: abstract)
            let phone = try await bench.startPhone(["--connect", bench.address, "--name", "Pixel"], environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "200000"])
            try manager.wait(for: "READY=1")
            try manager.wait(for: "STATUS=connected to \(TestBench.carName)")
            try manager.wait(for: "WATCHDOG=1")
            try car.wait(for: "STATUS=showing Pixel")

            // What the phone starts does not speak in its name.
            try await bench.console(each: "wait \"Rubber Soul\" 30", "tap \"Rubber Soul\"", "wait \"Recently Played\" 30")
            let launched = try await bench.require(phone: "app-launched")
            let pid = try #require(launched.split(separator: "pid=").last.flatMap { Int32($0.prefix { $0.isNumber }) })
            let environment = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
            #expect(environment.contains("FASCIA_APP_FD") && !environment.contains("NOTIFY_SOCKET") && !environment.contains("WATCHDOG_USEC"))

            phone.signal(SIGTERM)
            try manager.wait(for: "STOPPING=1")
            #expect(try await phone.exitStatus() == 0)
            bench.headUnit?.signal(SIGTERM)
            try car.wait(for: "STOPPING=1")
            #expect(try await bench.headUnit?.exitStatus() == 0)
            #expect(car.messages.filter { $0 == "READY=1" }.count == 1)
            #expect(manager.messages.filter { $0 == "READY=1" }.count == 1)
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")), arguments: ["HeadUnit/fascia-headunit", "Phone/fascia-phone"])
        func systemdUnderstandsTheUnitFiles(_ program: String) async throws {
            let name = String(program.split(separator: "/")[1])
            let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Sources/\(program)/\(name).service")
            // Where it is installed there is nothing here; the programs under test stand for it.
            let text = try String(contentsOf: source, encoding: .utf8).replacingOccurrences(of: "/usr/local/bin/\(name)", with: TestBench.program(name))
            let directory = try TemporaryDirectory()
            let unit = directory.file("\(name).service")
            try text.write(toFile: unit, atomically: true, encoding: .utf8)
            let check = try await ChildProgram("/usr/bin/systemd-analyze", ["verify", unit])
            let status = try await check.exitStatus()
            #expect(status == 0, "\(check.transcript)")
            #expect(check.transcript.isEmpty, "\(check.transcript)")
        }
    }
}
