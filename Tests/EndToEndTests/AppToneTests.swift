import FasciaProcesses
import Foundation
import Testing

/// What an app plays is what the car's loudspeakers say, through prompts, deaths and cuts.
extension EndToEnd {
    @Suite struct AppToneTests {
        @Test func aToneIsDuckedComesBackAndOutlivesACut() async throws {
            let bench = try TestBench()
            let file = bench.path("mix.wav")
            try await bench.startHeadUnitDirectly(["--audio-out", file])
            try await bench.startPhone(humming: ["tone", "prompt"])
            try await bench.console(each: "wait tone 30", "tap tone", "wait \"Toggle tone\" 30", "sleep 1", "tap \"Toggle tone\"")
            _ = try await bench.require(phone: "audio-stream")
            try await bench.console(each: "sleep 2", "key home", "wait prompt 30", "tap prompt", "wait \"Toggle prompt\" 30")
            try await bench.console(each: "tap \"Toggle prompt\"", "sleep 2", "tap \"Toggle prompt\"", "sleep 2", "tap \"Toggle prompt\"", "sleep 2")
            let launched = bench.records("app-launched", in: "phone.jsonl").last
            kill(Int32(try #require(launched?["pid"] as? Int)), SIGKILL) // in the middle of its prompt
            try await bench.console(each: "sleep 2", "link cut")
            _ = try await bench.require(phone: "suspected")
            try await bench.console(each: "sleep 2", "link restore")
            _ = try await bench.require(phone: "resumed")
            try await bench.console(each: "sleep 2", "link goodbye", "sleep 2", "quit")
            _ = try await bench.headUnit?.exitStatus()

            let states = try states(of: file)
            #expect(states.lasting(unknown: true) == ["-", "full", "ducked", "full", "ducked", "full", "-", "full", "-"], "\(states.runs)")
            let said = bench.phone?.transcript ?? ""
            #expect(said.contains("[tone] route change 2"), "the app hears that the car is gone")
            let stops = bench.records("audio-stream", in: "phone.jsonl").filter { $0["state"] as? String == "stopped" }.compactMap { $0["reason"] as? String }
            #expect(stops.contains("inactive") && stops.contains("gone") && stops.contains("link"))
        }

        /// Where threads of sound run before all others, one that never waits would have its processor for good: the system ends the app, and
        /// the phone says by what.
        @Test func aBlockThatNeverEndsEndsItsAppAlone() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--audio-out", "null"])
            try await bench.startPhone(humming: ["spinner", "tone"])
            try await bench.open("spinner")
            guard bench.record("sound-thread", in: "phone.jsonl")?["precedence"] as? String == "real-time" else { return }
            try await bench.console("tap \"Toggle spinner\"")
            _ = try await bench.require(phone: "app-exited")
            #expect((bench.record("app-exited", in: "phone.jsonl")?["status"] as? String)?.contains("SIGXCPU") == true)
            try await bench.open("tone")
            try await bench.console("tap \"Toggle tone\"")
            try await bench.wait(forStreamsOn: "media")
        }

        /// What became of the tone of 440 Hz.
        private func states(of file: String) throws -> [String] {
            let levels = try Recorded(file).tone(440).map { 20 * log10(max(1e-6, $0)) }
            let full = try #require(levels.max())
            return levels.map { $0 > full - 2 ? "full" : (full - 17 ... full - 13).contains($0) ? "ducked" : $0 < full - 50 ? "-" : "?" }
        }
    }
}
