import Foundation
import Testing

/// A player app and a prompter, heard in the car: what the head unit's files hold.
extension EndToEnd {
    @Suite struct SoundTests {
        @Test func musicPlaysIsDuckedByAPromptAndComesBackAfterACall() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--audio-out", bench.path("audio") + "/"])
            try await bench.startPhone(["--connect", bench.address, "--app", TestBench.program("Srirocka"), "--app", TestBench.program("Prompter")])
            try await bench.console(each: "wait Srirocka 40", "tap Srirocka", "wait \"Made for Driving\" 30", "tap Playlists", "wait Downloaded 30", "tap Downloaded",
                                    "wait \"Play All\" 30", "tap \"Play All\"", "wait \"Up Next\" 30", "wait \"Slow Lanterns\" 30")
            try await bench.console(each: "key next", "wait \"Paper Boats\" 30", "key next", "wait \"Tin Roof Waltz\" 30", "sleep 4")
            try await bench.console(each: "key home", "wait Prompter", "tap Prompter", "wait \"Start the Drive\" 30", "tap \"Turn Left\"")
            _ = try await bench.headUnit?.anyLine { $0.hasPrefix("stream-stopped") && $0.contains("navigation") }
            try await bench.console("sleep 3")
            // The wheel's key is for the app that plays, though the prompter is on the screen.
            try await bench.console(each: "key next", "key home", "wait \"Now Playing\"", "tap \"Now Playing\"", "wait \"Neon Orchard\" 30")

            try await bench.console("carcall start")
            try await bench.wait(forStreamsOn: "media", false)
            try await bench.console("carcall end")
            try await bench.wait(forStreamsOn: "media")
            try await bench.console(each: "sleep 1", "quit")
            #expect(try await bench.headUnit?.exitStatus() == 0)

            let media = try Levels(bench.path("audio/media.wav")), navigation = try Levels(bench.path("audio/navigation.wav")), mix = try Levels(bench.path("audio/mix.wav"))
            let first = try #require(navigation.decibels.firstIndex { $0 > -50 }), last = try #require(navigation.decibels.lastIndex { $0 > -50 })
            #expect((10...60).contains(last - first), "a sentence takes one to six seconds: \(last - first) tenths")
            let before = media.median(first - 25..<first - 2), during = media.median(first + 4..<last - 2), after = media.median(last + 6..<last + 26)
            #expect(before > -45 && after > -45, "\(before), \(after)")
            #expect(during < before - 8 && during < after - 8, "ducked by 15 dB: \(before), \(during), \(after)")
            #expect(mix.median(first..<last) > during + 6, "the prompt is heard over it")
            #expect(media.decibels.suffix(8).contains { $0 > -45 }, "music came back after the call")
        }
    }
}

/// How loud a file is, per tenth of a second.
private struct Levels {
    let decibels: [Float]

    init(_ path: String) throws { decibels = try levels(of: path, milliseconds: 100) }

    func median(_ range: Range<Int>) -> Float {
        let part = decibels[max(0, range.lowerBound)..<max(0, min(decibels.count, range.upperBound))].sorted()
        return part.isEmpty ? -120 : part[part.count / 2]
    }
}
