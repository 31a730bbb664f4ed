import FasciaProcesses
import FasciaSound
import FasciaSoundFile
import Foundation
import Testing

/// What is heard in the car, by the recording it leaves: levels of a tone that an app plays.
extension EndToEnd {
    @Suite struct SoundLevelTests {
        /// dB of each 50 ms of a recording, left channel.
        private func levels(_ path: String) throws -> [Float] {
            let reader = try SoundFileReader(path: path)
            var meter = LevelMeter(sampleRate: reader.sampleRate, channels: reader.channels, milliseconds: 50)
            var block = [Float](repeating: 0, count: 4_096 * reader.channels)
            while true {
                let frames = block.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { reader.read(into: $0, frames: 4_096) } ?? 0 }
                guard frames > 0 else { return meter.levels }
                meter.add(Array(block[..<(frames * reader.channels)]))
            }
        }

        /// Levels that last, each once: what is not held for 200 ms is a ramp.
        private func steps(_ levels: [Float]) -> [Float] {
            var steps: [Float] = [], run: [Float] = []
            for level in levels.map({ max($0, -60) }) {
                if let first = run.first, abs(level - first) < 1 { run.append(level) } else { run = [level] }
                guard run.count == 4, let first = run.first, steps.last.map({ abs($0 - first) > 1 }) ?? true else { continue }
                steps.append(first)
            }
            return steps
        }

        private func audio(_ bench: TestBench) async throws -> [String: Any] {
            let answer = try await bench.console("audio")
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
        }

        /// Asks until a stream of media sounds, or none is there.
        private func wait(_ bench: TestBench, forStream wanted: Bool) async throws {
            for _ in 0..<400 {
                let report = try await audio(bench), streams = report["streams"] as? [[String: Any]] ?? []
                if wanted ? streams.contains(where: { ($0["packets"] as? Int ?? 0) > 20 }) : streams.isEmpty { return }
                try await bench.console("sleep 0.05")
            }
            throw ToolError("no \(wanted ? "stream began" : "end of the stream"): \(try await bench.console("audio"))")
        }

        @Test func volumeMuteRadioAndACutAreHeard() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--audio-out", bench.path("sound") + "/", "--volume", "media=100"])
            try await bench.startPhone(["--connect", bench.address, "--app", TestBench.program("ToneApp")])
            try await bench.console(each: "wait Tone 30", "tap Tone", "wait Play 30", "tap Play")
            try await wait(bench, forStream: true)
            try await bench.console(each: "sleep 1", "volume media 50", "wait 50 5", "sleep 1", "mute media", "wait Muted 5", "sleep 1", "mute media off", "sleep 1", "volume media 100", "sleep 1")
            // The phone does not sound while the radio does, and starts anew when the driver asks.
            try await bench.console(each: "radio on", "volume media 0")
            try await wait(bench, forStream: false)
            try await bench.console(each: "radio off", "sleep 1", "volume media 100", "tap Stop", "tap Play")
            try await wait(bench, forStream: true)
            try await bench.console(each: "sleep 1", "link cut")
            _ = try await bench.require(car: "suspended")
            try await wait(bench, forStream: false)
            try await bench.console(each: "sleep 1", "link restore")
            _ = try await bench.require(car: "resumed")
            try await bench.tapOnceConnected("Stop")
            try await bench.tapOnceConnected("Play")
            try await wait(bench, forStream: true)
            let report = try await audio(bench)
            #expect((report["routes"] as? [String: [String: Any]])?["media"]?["volume"] as? Int == 100, "volumes outlive connections")
            #expect((report["streams"] as? [[String: Any]])?.first?["latency_ms"] != nil)
            try await bench.console("sleep 1")
            bench.headUnit?.signal(SIGINT) // as Ctrl-C does
            _ = try await bench.headUnit?.exitStatus()
            let heard = try levels(bench.path("sound/media.wav"))
            let loud: Float = -15 // a sine of a quarter of full scale
            let expected: [Float] = [-60, loud, loud - 12, -60, loud - 12, loud, -60, loud, -60, loud]
            let steps = steps(heard)
            #expect(steps.count == expected.count && zip(steps, expected).allSatisfy { abs($0 - $1) < 1.5 }, "\(steps)")
            let mix = try levels(bench.path("sound/mix.wav"))
            #expect(abs(mix.count - heard.count) <= 1)
            #expect(try levels(bench.path("sound/navigation.wav")).allSatisfy { $0 == LevelMeter.silence })
        }
    }
}
