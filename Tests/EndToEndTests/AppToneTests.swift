import FasciaProcesses
import FasciaSound
import FasciaSoundFile
import Foundation
import Testing

/// What an app plays is what the car's loudspeakers say, through prompts, deaths and cuts.
extension EndToEnd {
    @Suite struct AppToneTests {
        @Test func aToneIsDuckedComesBackAndOutlivesACut() async throws {
            let bench = try TestBench()
            let file = bench.path("mix.wav")
            try await bench.startHeadUnitDirectly(["--audio-out", file])
            let tone = try bench.makeApp(named: "tone", of: "HumApp"), prompt = try bench.makeApp(named: "prompt", of: "HumApp")
            try await bench.startPhone(["--connect", bench.address, "--app", tone, "--app", prompt])
            try await bench.console(each: "wait tone 30", "tap tone", "wait \"Toggle tone\" 30", "tap \"Toggle tone\"")
            _ = try await bench.require(phone: "audio-stream")
            try await bench.console(each: "sleep 1", "key home", "wait prompt 10", "tap prompt", "wait \"Toggle prompt\" 30")
            try await bench.console(each: "tap \"Toggle prompt\"", "sleep 1", "tap \"Toggle prompt\"", "sleep 1", "tap \"Toggle prompt\"", "sleep 1")
            let launched = bench.records("app-launched", in: "phone.jsonl").last
            kill(Int32(try #require(launched?["pid"] as? Int)), SIGKILL) // in the middle of its prompt
            try await bench.console(each: "sleep 1", "link cut")
            _ = try await bench.require(phone: "suspected")
            try await bench.console(each: "sleep 0.5", "link restore")
            _ = try await bench.require(phone: "resumed")
            try await bench.console(each: "sleep 1", "link goodbye", "sleep 1", "quit")
            _ = try await bench.headUnit?.exitStatus()

            let states = try states(of: file)
            #expect(states == ["-", "full", "ducked", "full", "ducked", "full", "-", "full", "-"])
            let said = bench.phone?.transcript ?? ""
            #expect(said.contains("[tone] route change 2"), "the app hears that the car is gone")
            let stops = bench.records("audio-stream", in: "phone.jsonl").filter { $0["state"] as? String == "stopped" }.compactMap { $0["reason"] as? String }
            #expect(stops.contains("inactive") && stops.contains("gone") && stops.contains("link"))
        }

        /// What became of the tone of 440 Hz, in parts of at least 200 ms.
        private func states(of file: String) throws -> [String] {
            let reader = try SoundFileReader(path: file)
            let window = reader.sampleRate / 20
            var levels: [Float] = []
            var samples = [Float](repeating: 0, count: window * reader.channels)
            while samples.withUnsafeMutableBufferPointer({ reader.read(into: $0.baseAddress!, frames: window) }) == window {
                let left = stride(from: 0, to: samples.count, by: reader.channels).map { samples[$0] }
                levels.append(20 * log10(max(1e-6, Goertzel.amplitude(left, frequency: 440, sampleRate: reader.sampleRate))))
            }
            let full = try #require(levels.max())
            let states = levels.map { $0 > full - 2 ? "full" : (full - 17 ... full - 13).contains($0) ? "ducked" : $0 < full - 50 ? "-" : "?" }
            var parts: [(state: String, count: Int)] = []
            for state in states {
                if parts.last?.state == state { parts[parts.count - 1].count += 1 } else { parts.append((state, 1)) }
            }
            // What is short is a fade, or a machine that was busy; a ramp passes through levels that are neither.
            return parts.filter { $0.count >= ($0.state == "?" ? 8 : 4) }.map(\.state).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
    }
}
