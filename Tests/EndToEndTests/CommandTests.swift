import FasciaProcesses
import FasciaSoundFile
import Foundation
import Testing

/// The driver's keys reach the app that plays, and what they do is heard.
extension EndToEnd {
    @Suite struct CommandTests {
        private static let tones = [440.0, 660, 880, 1_100]

        /// Six seconds of each tone.
        private func makeEpisode(_ bench: TestBench) throws -> String {
            let file = bench.path("episode.wav"), rate = 44_100, writer = try SoundFileWriter(path: file, sampleRate: rate, channels: 1)
            for tone in Self.tones {
                let samples = (0..<6 * rate).map { Float(0.3 * sin(2 * .pi * tone * Double($0) / Double(rate))) }
                try samples.withUnsafeBufferPointer { if let base = $0.baseAddress { try writer.write(base, frames: samples.count) } }
            }
            writer.close()
            return file
        }

        /// Seconds, as the screen says.
        private func elapsed(_ bench: TestBench) async throws -> Double {
            let tree = try await bench.console("tree")
            let value = try #require(tree.firstMatch(of: /(\d+):(\d\d) of 0:24/), "\(tree)")
            return try Double(#require(Int(value.1))) * 60 + Double(#require(Int(value.2)))
        }

        /// What the time becomes when it moves the next time, and between which moments that is.
        private func move(_ bench: TestBench) async throws -> (time: Double, after: ContinuousClock.Instant, before: ContinuousClock.Instant) {
            var after = ContinuousClock.now
            let old = try await elapsed(bench)
            for _ in 0..<600 {
                let asked = ContinuousClock.now, time = try await elapsed(bench)
                if time != old { return (time, after, .now) }
                after = asked
                try await bench.console("sleep 0.02")
            }
            throw ToolError("the time stands still at \(old)")
        }

        @Test func keysRateAndSkipsAreHeard() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--audio-out", bench.path("audio") + "/", "--volume", "media=100"])
            let app = try bench.makeApp(named: "podcast", of: "HumApp")
            try await bench.startPhone(["--connect", bench.address, "--app", app], environment: ["HUM_EPISODE": try makeEpisode(bench)])
            try await bench.open("podcast")
            let start = ContinuousClock.now
            try await bench.console(each: "tap \"Toggle podcast\"", "wait Humming 30")
            try await bench.wait(forStreamsOn: "media")
            // The driver takes his time to find the screen; the episode would not last on a slow machine.
            try await bench.console("key play")
            try await bench.wait(forStreamsOn: "media", false)
            let slow = start.duration(to: .now) / .seconds(1)
            try await bench.console(each: "key home", "wait \"Now Playing\" 30", "tap \"Now Playing\"", "wait Episode 30", "key rate", "key play")
            try await bench.wait(forStreamsOn: "media")
            let first = try await move(bench)
            try await bench.console("sleep 3")
            let last = try await move(bench), atLeast = first.before.duration(to: last.after) / .seconds(1), atMost = first.after.duration(to: last.before) / .seconds(1)
            #expect((2 * atLeast - 2...2 * atMost + 2).contains(last.time - first.time), "the time goes twice as fast: \(first.time), \(last.time) after \(atLeast) to \(atMost) s")
            try await bench.console("key play")
            try await bench.wait(forStreamsOn: "media", false)
            let second = try await elapsed(bench)
            try await bench.console("key next")
            var skipped = try await elapsed(bench)
            for _ in 0..<600 where skipped - second < 3 {
                try await bench.console("sleep 0.05")
                skipped = try await elapsed(bench)
            }
            #expect(skipped - second >= 3, "four seconds on: \(second), \(skipped)")
            try await bench.console(each: "key shuffle", "key repeat", "key repeat", "key like", "key like", "key dislike", "key bookmark", "key next 0.8", "key stop", "sleep 0.5")
            #expect(try await elapsed(bench) == skipped, "it does not go on while it is paused")
            try await bench.console("key play")
            try await bench.wait(forStreamsOn: "media")
            try await bench.wait(forStreamsOn: "media", false)
            try await bench.console("quit")
            _ = try await bench.headUnit?.exitStatus()

            let said = (bench.phone?.transcript ?? "").split(separator: "\n").filter { $0.hasPrefix("[podcast] ") }.map { $0.dropFirst("[podcast] ".count) }
                .filter { !$0.hasPrefix("route change") } // and when the car is gone it is paused
            #expect(said.prefix(20) == ["command toggle", "command rate", "command toggle", "command toggle", "command skip forward", "command shuffle", "command repeat", "command repeat", "command like", "liked true",
                             "command like", "liked false", "command dislike", "command bookmark", "command seek", "seek beginSeeking", "command seek", "seek endSeeking",
                             "command stop", "command toggle"])
            let heard = try Recorded(bench.path("audio/media.wav")), levels = heard.levels, tones = Self.tones.map { heard.tone($0) }
            let sounding = levels.indices.filter { levels[$0] > 0.15 }
            #expect((8.5...10.5 + slow / 2).contains(Double(sounding.count) / 20), "20 seconds at twice the speed, but for \(slow): \(Double(sounding.count) / 20)")
            let pure = sounding.filter { index in tones.contains { $0[index] > levels[index] * 1.25 } }
            #expect(pure.count >= sounding.count * 7 / 10, "at their own pitch: \(pure.count) of \(sounding.count)")
        }
    }
}
