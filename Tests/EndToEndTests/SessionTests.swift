import Foundation
import Testing

/// Two processes and an app's third, as a driver would use them. Discovery runs on loopback, where `scripts/test` put us.
extension EndToEnd {
    @Suite struct SessionTests {
        @Test func firstContactByNameThenTouchKnobAndAWholeAppTour() async throws {
            let bench = try TestBench()
            let headUnit = try await bench.startHeadUnit(["--listen", "127.0.0.1:0"])
            let phone = try await bench.startPhone(["--car", TestBench.carName])
            try await bench.console("wait \"Rubber Soul\" 40")
            try await bench.console("tap \"Rubber Soul\"; wait \"Recently Played\" 30")
            try await headUnit.nextOK()
            try await bench.console("tap \"Browse\"")
            try await bench.console("wait Moods 30")
            try await bench.console("knob cw 2")
            try await bench.waitForTree("\"focused\":true")
            try await bench.console("tap Moods")
            try await bench.console("wait \"Night Drive\" 30")
            try await bench.console("key back")
            try await bench.console("wait \"Sleep Timer\" 30")
            try await bench.console("screenshot \"\(bench.path("screen.png"))\"")
            let picture = try Data(contentsOf: URL(fileURLWithPath: bench.path("screen.png")))
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            try await bench.console("quit")
            #expect(try await headUnit.exitStatus() == 0)
            phone.signal(SIGINT)
            #expect(try await phone.exitStatus() == 0)
            let events = bench.events("phone.jsonl")
            #expect(Set(["discovered", "paired", "tcp", "secured", "connected", "first-frame", "app-launched", "scene-connected", "disconnected",
                         "scene-disconnected", "app-exited"]).isSubset(of: events), "\(events)")
        }

        @Test func aCutShorterThanTheGraceKeepsSessionSceneAndPicture() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            try await bench.console("link cut")
            try await bench.console("wait \"Connection lost\" 30")
            try await bench.console("link restore")
            // The frozen picture says Browse as well.
            _ = try await bench.require(phone: "resumed")
            try await bench.console("wait Browse 30")
            try await bench.tapOnceConnected("Browse")
            try await bench.console("wait Moods 30")
            let events = try await bench.events("phone.jsonl") { $0.contains("resumed") }
            // The car has given the connection up; the phone may have a new one before it does.
            #expect(bench.events("car.jsonl").filter { $0 == "suspended" }.count == 1)
            #expect(events.filter { $0 == "suspended" }.count <= 1)
            #expect(events.filter { $0 == "resumed" }.count == 1)
            #expect(!events.contains("scene-disconnected"))
            #expect(!events.contains("disconnected"))
            let again = bench.record("resumed", in: "car.jsonl")
            #expect(again?["session"] as? String == bench.record("connected", in: "car.jsonl")?["session"] as? String)
        }

        @Test func aCutLongerThanTheGraceDisconnectsTheSceneOnceAndTheAppCanBeOpenedAgain() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            try await bench.console("link cut")
            try await bench.console("wait \"Waiting for phone\" 30")
            _ = try await bench.require(phone: "scene-disconnected")
            try await bench.console("link restore")
            try await bench.console("wait \"Rubber Soul\" 30")
            try await bench.console("tap \"Rubber Soul\"")
            try await bench.console("wait \"Recently Played\" 30")
            let events = try await bench.events("phone.jsonl") { $0.count { $0 == "scene-connected" } == 2 }
            #expect(events.filter { $0 == "app-launched" }.count == 1, "the process lives on")
            #expect(events.filter { $0.hasPrefix("scene-") } == ["scene-connected", "scene-disconnected", "scene-connected"])
        }

        @Test func aSecondRunNeedsNoCodeAndUsesATicketOrAFullHandshake() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            bench.phone?.signal(SIGINT)
            #expect(try await bench.phone?.exitStatus() == 0)
            try await bench.console("wait \"Waiting for phone\" 30")
            let again = try await bench.startPhone(["--connect", bench.address], code: nil)
            try await bench.console("wait \"Rubber Soul\" 30")
            again.signal(SIGINT)
            #expect(try await again.exitStatus() == 0)
            #expect(bench.events("phone.jsonl").filter { $0 == "paired" }.count == 1)
        }

        @Test func theHeadUnitDyingDisconnectsTheSceneAfterTheGrace() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            bench.headUnit?.signal(SIGKILL)
            _ = try await bench.require(phone: "suspended")
            _ = try await bench.require(phone: "scene-disconnected")
            bench.phone?.signal(SIGINT)
            #expect(try await bench.phone?.exitStatus() == 0)
        }
    }
}
