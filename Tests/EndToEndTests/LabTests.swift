@testable import FasciaLab
import FasciaProcesses
import Foundation
import Testing

/// `fascia lab` for real: network namespaces and TAP devices, which only root may make, and not who is called root in a namespace of users.
extension EndToEnd {
    @Suite(.serialized, .enabled(if: geteuid() == 0 && access("/run", W_OK) == 0, "a lab makes network namespaces and TUN devices: run the tests as root to test it"))
    struct LabTests {
        private func withLab(_ options: Lab.Options = Lab.Options(), _ body: (Lab) async throws -> Void) async throws {
            let lab = try Lab(name: "test-\(getpid())")
            try await lab.up(.process, options: options, program: TestBench.program("fascia"))
            let result: Result<Void, any Error>
            do { result = .success(try await body(lab)) } catch { result = .failure(error) }
            try await lab.down()
            try result.get()
        }

        private static let withoutDiscovery = {
            var options = Lab.Options()
            options.discovery = false
            return options
        }()

        private func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
            let process = try await ChildProgram(TestBench.program("fascia"), ["lab"] + arguments)
            return (try await process.exitStatus(within: .seconds(300)), process.transcript)
        }

        @Test func programsOnTheTwoHostsMeetOverTheLinkOnly() async throws {
            try await withLab(Self.withoutDiscovery) { lab in
                let addresses = try await run("exec", "--name", lab.name, "car", "--", "ip", "-brief", "address")
                #expect(addresses.status == 0)
                #expect(addresses.output.contains("10.77.0.1/24"))
                #expect(!addresses.output.contains("10.77.0.2"))
                let times = try await lab.ping(count: 20, patience: .seconds(10))
                #expect(times.allSatisfy { $0 != nil })
                let statistics = try lab.link.statistics()
                #expect(statistics.towardCar.delivered >= 20)
                #expect(statistics.towardPhone.delivered >= 20)
            }
        }

        @Test func aPingTakesTheRoundTripThatWasSet() async throws {
            try await withLab(Self.withoutDiscovery) { lab in
                try lab.link.set(roundTrip: .milliseconds(10))
                let times = try await lab.ping(count: 50, patience: .seconds(10)).compactMap(\.self)
                #expect(times.count == 50)
                // Never less; how much more is up to the machine, but some are near.
                #expect(times.allSatisfy { $0 >= 9_900_000 })
                #expect(times.sorted().dropFirst(4).first ?? .max < 15_000_000, "\(times)")
            }
        }

        @Test func aCutLinkAnswersNothingAndARestoredOneDoes() async throws {
            try await withLab(Self.withoutDiscovery) { lab in
                try lab.link.cut()
                #expect(try await lab.ping(count: 2, patience: .milliseconds(100)) == [nil, nil])
                try lab.link.restore()
                #expect(try await lab.ping(count: 5, patience: .seconds(10)).contains { $0 != nil })
                try lab.link.setCarrier(of: .car, on: false)
                #expect(try await lab.ping(count: 1, patience: .milliseconds(100)) == [nil])
                let unplugged = try await run("exec", "--name", lab.name, "car", "--", "cat", "/sys/class/net/lab0/carrier")
                #expect(unplugged.output.hasPrefix("0"))
                try lab.link.setCarrier(of: .car, on: true)
                // The kernel takes up to a second to believe in the cable.
                #expect(try await lab.ping(count: 10).contains { $0 != nil })
                #expect(try lab.link.statistics().outageCount == 1)
            }
        }

        @Test func aServiceOfOneHostIsDiscoveredOnTheOther() async throws {
            try await withLab { lab in
                let state = try TestBench()
                let car = try lab.command(on: .car, TestBench.program("fascia-headunit"), [
                    "--headless", "--name", "Next Door", "--listen", "0.0.0.0:0", "--state-dir", state.path("car"),
                ], launcher: TestBench.program("fascia"))
                let headUnit = try await ChildProgram(car.path, car.arguments)
                defer { headUnit.end() }
                try await headUnit.line { $0.hasPrefix("listening ") }
                var found = try await run("exec", "--name", lab.name, "phone", "--", TestBench.program("fascia"), "discover", "--timeout", "3")
                for _ in 0..<9 where !found.output.contains("10.77.0.1") {
                    found = try await run("exec", "--name", lab.name, "phone", "--", TestBench.program("fascia"), "discover", "--timeout", "3")
                }
                #expect(found.output.contains("Next Door"), "\(found.output)")
                #expect(found.output.contains("10.77.0.1"), "\(found.output)")
            }
        }

        @Test func aProgramOnAHostIsTheChildThatWasStarted() async throws {
            try await withLab(Self.withoutDiscovery) { lab in
                let command = try lab.command(on: .phone, "sh", ["-c", "echo $$; read line; exit 7"], launcher: TestBench.program("fascia"))
                let shell = try await ChildProgram(command.path, command.arguments)
                #expect(try await shell.line { _ in true } == "\(shell.pid)")
                shell.say("go")
                #expect(try await shell.exitStatus() == 7)
                #expect(try await run("exec", "--name", lab.name, "phone", "--", "/nonexistent").status == 127)
            }
        }

        @Test func twoLabsStandSideBySideAndANameIsTakenOnce() async throws {
            try await withLab(Self.withoutDiscovery) { lab in
                let other = try Lab(name: lab.name + "-b")
                try await other.up(.process, options: Self.withoutDiscovery, program: TestBench.program("fascia"))
                try lab.link.cut()
                #expect(try await other.ping(count: 1, patience: .seconds(10)).first != .some(nil))
                let again = try await run("up", "--name", lab.name)
                #expect(again.status == 1)
                #expect(again.output.contains("is up already"))
                try await other.down()
                try await other.down() // nothing to do
                #expect(!other.isUp)
                #expect(lab.isUp)
            }
        }

        @Test func downCleansUpAfterACrash() async throws {
            let name = "test-\(getpid())-crash"
            #expect(try await run("up", "--name", name).status == 0)
            let lab = try Lab(name: name)
            let processes = try lab.status().processes
            #expect(processes.map(\.name) == ["fascia", "dbus-daemon", "avahi-daemon", "dbus-daemon", "avahi-daemon"])
            for process in processes where process.name == "fascia" { kill(process.pid, SIGKILL) }
            #expect(try await run("down", "--name", name).status == 0)
            for process in processes { #expect(ProcessIdentity(pid: process.pid) == nil, "\(process.name) is still there") }
            #expect(!FileManager.default.fileExists(atPath: "/run/fascia-lab/\(name)"))
            #expect(try await run("status", "--name", name).status == 1)
        }

        @Test func aLabEndsWithTheProgramThatMadeIt() async throws {
            let name = "test-\(getpid())-owned"
            let owner = try await ChildProgram(TestBench.program("fascia"), ["lab", "soak", "--name", name, "--minutes", "1"])
            let lab = try Lab(name: name)
            var processes: [LabStatus.ProcessEntry] = []
            while processes.count < 5, owner.status == nil {
                processes = (try? lab.status().processes) ?? []
                try await Task.sleep(for: .milliseconds(20))
            }
            owner.signal(SIGKILL)
            _ = try await owner.exitStatus()
            let deadline = ContinuousClock.now + .seconds(60)
            while lab.isUp, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
            #expect(!lab.isUp)
            try await lab.down() // waits until the last of it is gone
        }

        @Test func mistakesAreNamed() async throws {
            let wrongName = try await run("up", "--name", "../x")
            #expect(wrongName.status == 64)
            #expect(wrongName.output.contains("letters, digits"))
            let notUp = try await run("cut", "--name", "test-\(getpid())-none")
            #expect(notUp.status == 1)
            #expect(notUp.output.contains("fascia lab up"))
            try await withLab(Self.withoutDiscovery) { lab in
                let wrong = try await run("ask", "--name", lab.name, "delay soon")
                #expect(wrong.status == 64)
                #expect(wrong.output.contains("10ms"))
            }
        }

        /// Real programs over a link that comes and goes, for twenty seconds.
        @Test func aShortSoakDisconnectsNoScene() async throws {
            let soak = try await run("soak", "--name", "test-\(getpid())-soak", "--gaps", "200ms..460ms", "--minutes", "0.3", "--seed", "5")
            #expect(soak.status == 0, "\(soak.output)")
        }
    }
}
