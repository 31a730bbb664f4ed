import FasciaProcesses
import FasciaSound
import Foundation
import Testing

/// What is heard in the car, by the recording it leaves: levels of a tone that an app plays.
extension EndToEnd {
    @Suite struct SoundLevelTests {
        @Test func volumeMuteRadioAndACutAreHeard() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--audio-out", bench.path("sound") + "/", "--volume", "media=100"])
            try await bench.startPhone(["--connect", bench.address, "--app", TestBench.program("ToneApp")])
            try await bench.console(each: "wait Tone 30", "tap Tone", "wait Play 30", "sleep 1", "tap Play")
            try await bench.wait(forStreamsOn: "media")
            try await bench.console(each: "sleep 2", "volume media 50", "wait 50 30", "sleep 2", "mute media", "wait Muted 30", "sleep 2", "mute media off", "sleep 2", "volume media 100", "sleep 2")
            // The phone does not sound while the radio does, and starts anew when the driver asks.
            try await bench.console(each: "radio on", "volume media 0")
            try await bench.wait(forStreamsOn: "media", false)
            try await bench.console(each: "radio off", "sleep 2", "volume media 100", "tap Stop", "tap Play")
            try await bench.wait(forStreamsOn: "media")
            try await bench.console(each: "sleep 2", "link cut")
            _ = try await bench.require(car: "suspended")
            try await bench.wait(forStreamsOn: "media", false)
            try await bench.console(each: "sleep 2", "link restore")
            _ = try await bench.require(car: "resumed")
            try await bench.tapOnceConnected("Stop")
            try await bench.tapOnceConnected("Play")
            try await bench.wait(forStreamsOn: "media")
            let report = try #require(try JSONSerialization.jsonObject(with: Data(try await bench.console("audio").utf8)) as? [String: Any])
            #expect((report["routes"] as? [String: [String: Any]])?["media"]?["volume"] as? Int == 100, "volumes outlive connections")
            #expect((report["streams"] as? [[String: Any]])?.first?["latency_ms"] != nil)
            try await bench.console("sleep 2")
            bench.headUnit?.signal(SIGINT) // as Ctrl-C does
            _ = try await bench.headUnit?.exitStatus()
            let heard = try levels(of: bench.path("sound/media.wav"), milliseconds: 50)
            let loud: Float = -15 // a sine of a quarter of full scale
            let states = heard.map { $0 < -58.5 ? "-" : abs($0 - loud) < 1.5 ? "loud" : abs($0 - loud + 12) < 1.5 ? "soft" : "?" }
            #expect(states.lasting(unknown: true) == ["-", "loud", "soft", "-", "soft", "loud", "-", "loud", "-", "loud"], "\(states.runs)")
            let mix = try levels(of: bench.path("sound/mix.wav"), milliseconds: 50)
            #expect(abs(mix.count - heard.count) <= 1)
            #expect(try levels(of: bench.path("sound/navigation.wav"), milliseconds: 50).allSatisfy { $0 == LevelMeter.silence })
        }
    }
}
