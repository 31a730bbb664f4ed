import FasciaProcesses
import Foundation
import Testing

/// What ends a connection for good and comes back: nobody does anything, and the phone's screen is in the car again.
extension EndToEnd {
    @Suite struct SessionRecoveryTests {
        /// Phone and head unit with the phone's home on the screen.
        private func home() async throws -> TestBench {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly()
            try await bench.startPhone(["--connect", bench.address])
            try await bench.console("wait \"Rubber Soul\" 30")
            return bench
        }

        private func restartHeadUnit(_ bench: TestBench) async throws {
            try await bench.startHeadUnit(["--no-discovery", "--listen", bench.address])
        }

        @Test func headUnitKilledAndStartedAgain() async throws {
            let bench = try await home()
            bench.headUnit?.signal(SIGKILL)
            _ = try await bench.headUnit?.exitStatus()
            try await restartHeadUnit(bench)
            try await bench.console("wait \"Rubber Soul\" 30")
            let events = try await bench.events("phone.jsonl") { $0.count { $0 == "connected" } == 2 }
            #expect(events.filter { $0 == "paired" }.count == 1)
            #expect(events.filter { $0 == "connected" }.count == 2, "the session was gone with the head unit")
        }

        @Test func phoneKilledAndStartedAgain() async throws {
            let bench = try await home()
            bench.phone?.signal(SIGKILL)
            _ = try await bench.phone?.exitStatus()
            try await bench.startPhone(["--connect", bench.address], code: nil)
            try await bench.console("wait \"Rubber Soul\" 30")
        }

        @Test func bothKilledAndStartedAgain() async throws {
            let bench = try await home()
            bench.phone?.signal(SIGKILL)
            bench.headUnit?.signal(SIGKILL)
            _ = try await bench.phone?.exitStatus()
            _ = try await bench.headUnit?.exitStatus()
            try await bench.startPhone(["--connect", bench.address], code: nil)
            try await restartHeadUnit(bench)
            try await bench.console("wait \"Rubber Soul\" 30")
        }

        @Test func headUnitComesBackAtAnotherPort() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnit(["--listen", "127.0.0.1:0"])
            try await bench.startPhone(["--car", TestBench.carName])
            try await bench.console("wait \"Rubber Soul\" 40")
            bench.headUnit?.signal(SIGKILL)
            _ = try await bench.headUnit?.exitStatus()
            try await bench.startHeadUnit(["--listen", "127.0.0.1:0"])
            try await bench.console("wait \"Rubber Soul\" 40")
        }

        @Test func aCutThatIsShortIsSeenByNobody() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            try await bench.console("link cut")
            _ = try await bench.require(phone: "suspected")
            try await bench.console("link restore")
            _ = try await bench.require(phone: "resumed")
            try await bench.console("wait Browse 30")
            let phone = bench.events("phone.jsonl"), car = bench.events("car.jsonl")
            #expect(phone.contains("race-started"))
            #expect(!phone.contains("suspended") && !phone.contains("scene-disconnected") && !car.contains("suspended"))
        }

        @Test func forgettingTheCarEndsTheSession() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            let forget = try await ChildProgram(TestBench.program("fascia-phone"), ["forget", TestBench.carName, "--state-dir", bench.path("phone")])
            #expect(try await forget.exitStatus() == 0)
            try await bench.console("wait \"Waiting for phone\" 30")
            _ = try await bench.require(phone: "scene-disconnected")
            #expect(bench.record("disconnected", in: "phone.jsonl")?["reason"] as? String == "forgotten")
        }
    }
}
