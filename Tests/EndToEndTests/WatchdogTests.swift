import FasciaProcesses
import Foundation
import Testing

/// Apps that hang, with a car in front of them: the app ends alone, with a report; link, screen and home go on.
extension EndToEnd {
    @Suite struct WatchdogTests {
        /// The app of Tests/WaywardApp under a name that says how it behaves.
        private func app(_ manner: String, _ bench: TestBench) throws -> String {
            try bench.makeApp(named: manner, of: "WaywardApp")
        }

        @Test func aHangingConnectEndsTheAppAloneWithAReport() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly()
            let phone = try await bench.startPhone(["--connect", bench.address, "--app", try app("connect-sleep", bench), "--budget", "update=2000ms"])
            try await bench.console(each: "wait connect-sleep 30", "tap connect-sleep")
            _ = try await bench.require(phone: "watchdog")
            _ = try await bench.require(phone: "app-exited")
            try await bench.console("wait \"took longer\" 30")
            let events = try await bench.events("phone.jsonl") { $0.contains("app-exited") }
            let report = try #require(bench.record("watchdog", in: "phone.jsonl")?["report"] as? String)
            #expect(report.hasPrefix(bench.path("phone/reports/")))
            let text = try String(contentsOfFile: report.replacingOccurrences(of: ".json", with: ".txt"), encoding: .utf8)
            #expect(text.contains("Manner.misbehave(at:)"), "\(text)")
            let exited = bench.record("app-exited", in: "phone.jsonl")
            #expect(exited?["cause"] as? String == "watchdog")
            #expect((exited?["status"] as? String)?.hasPrefix("watchdog 0x8badf00d") == true)
            #expect(events.filter { ["watchdog-warning", "app-failed", "watchdog", "app-exited"].contains($0) }
                == ["watchdog-warning", "app-failed", "watchdog", "app-exited"])
            #expect(!events.contains("suspended") && !events.contains("disconnected"))
            // The other app, on the same link.
            try await bench.console(each: "key home", "wait \"Rubber Soul\" 30", "tap \"Rubber Soul\"", "wait \"Recently Played\" 30")
            phone.signal(SIGTERM)
            #expect(try await phone.exitStatus() == 0)
        }

        /// Its disconnect handler hangs while the car is back already and the driver wants the app again.
        @Test func aHangingDisconnectHoldsUpNeitherTheCarNorItsNextScene() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--grace", "50"])
            let name = "disconnect-sleep"
            let phone = try await bench.startPhone(["--connect", bench.address, "--app", try app(name, bench), "--budget", "disconnect=3000ms"])
            try await bench.console(each: "wait \(name) 30", "tap \(name)", "wait Row 30", "link cut", "wait \"Waiting for phone\" 30", "link restore")
            try await bench.console(each: "wait \(name) 30", "tap \(name)")
            _ = try await bench.require(phone: "watchdog")
            _ = try await bench.require(phone: "app-exited")
            try await bench.console(each: "wait \"took longer\" 30", "key home", "wait \"Rubber Soul\" 30", "tap \(name)", "wait Row 30")
            let events = try await bench.events("phone.jsonl") { $0.count { $0 == "scene-connected" } == 2 }
                .filter { $0.hasPrefix("scene-") || $0.hasPrefix("app-l") || $0 == "app-exited" }
            #expect(events == ["app-launched", "scene-connected", "scene-disconnected", "app-exited", "app-launched", "scene-connected"]
                || events == ["app-launched", "scene-connected", "app-exited", "scene-disconnected", "app-launched", "scene-connected"], "\(events)")
            phone.signal(SIGKILL)
        }

        @Test func whatPlaysIsPausedOnceAndThenDisconnected() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly()
            let phone = try await bench.startPhone(["--connect", bench.address, "--app", try app("playing", bench)])
            try await bench.console(each: "wait playing 30", "tap playing", "wait Row 30")
            bench.headUnit?.signal(SIGTERM)
            _ = try await bench.require(phone: "scene-disconnected")
            phone.signal(SIGTERM)
            #expect(try await phone.exitStatus() == 0)
            let said = phone.transcript.split(separator: "\n").filter { $0.hasPrefix("[playing] ") }.map { $0.dropFirst("[playing] ".count) }
            #expect(said == ["didConnect", "pause command", "didDisconnect"])
            #expect(bench.events("phone.jsonl").filter { $0 == "media-paused" }.count == 1)
        }
    }
}
