import FasciaSound
import FasciaWire
import Testing
@testable import FasciaHeadUnit

/// Streams through the mixer to a sink that the test drives: levels are of what comes out.
@Suite struct CarSoundTests {
    let media = StreamKey(.media, 1), prompt = StreamKey(.navigation, 1)

    func level(_ samples: [Float], _ hertz: Double) -> Float { Goertzel.amplitude(samples, frequency: hertz, sampleRate: Mixer.sampleRate) }

    /// A phone's music is heard.
    func playing() throws -> SoundBench {
        let bench = try SoundBench()
        try bench.start(media)
        bench.play(milliseconds: 200)
        return bench
    }

    @Test func aStreamIsHeardAtItsRoutesVolume() throws {
        let bench = try SoundBench()
        try bench.start(media)
        #expect(bench.link.refusals == [.none] && bench.link.needsClock)
        #expect(abs(bench.level(after: 300) - 0.5) < 0.02)
        bench.car.setVolume(.media, 0.5) // the square is the factor
        #expect(abs(bench.level() - 0.125) < 0.01)
        bench.car.setVolume(.navigation, 0)
        #expect(abs(bench.level(after: 0) - 0.125) < 0.01, "a route's volume is its own")
        bench.car.setMute(.media, true)
        #expect(bench.level() < 0.0001)
        bench.car.setMute(.media, false)
        #expect(abs(bench.level() - 0.125) < 0.01)
        let report = bench.car.report(owner: "phone")
        #expect(report.streams.first?.latency_ms != nil && report.streams.first?.format == "PCM 48000 Hz mono" && report.routes["media"]?.volume == 50)
        let statuses = try bench.link.sent(MessageType.streamStatus).map { try FasciaWire.StreamStatus(serializedBytes: $0.body) }
        #expect((12...15).contains(statuses.count), "at most one in 100 ms: \(statuses.count)")
        #expect(statuses.contains { $0.muted } && statuses.last.map { !$0.muted && $0.volume == 0.5 && $0.latencyUs > 10_000 && $0.latencyUs < 60_000 } == true)
        try bench.stop(media)
        #expect(bench.level(after: 100) == 0 && !bench.link.needsClock)
    }

    @Test func aPromptDucksMusicUntilItsConnectionGoes() throws {
        let bench = try SoundBench()
        bench.car.radio(on: true)
        try bench.start(media)
        try bench.start(prompt, hertz: 1_000, duck: -20)
        bench.play(milliseconds: 400)
        let both = bench.play(milliseconds: 200)
        #expect(abs(level(both, 440) - 0.05) < 0.02 && abs(level(both, 1_000) - 0.5) < 0.03)
        #expect(bench.car.report(owner: "phone").ducking?.by == ["navigation 1 Test"])
        bench.feed.disconnected()
        bench.play(milliseconds: 60)
        let after = bench.play(milliseconds: 200), report = bench.car.report(owner: "phone")
        #expect(level(after, 1_000) < 0.01 && report.streams.isEmpty && report.ducking == nil && report.duck_level_db == 0)
        #expect(LevelMeter.level(after) > -50, "the radio is back at its level")
    }

    @Test func whatTheCarHasThePhoneDoesNotPlay() throws {
        let bench = try SoundBench()
        try bench.start(media, duck: -30)
        try bench.start(prompt, hertz: 1_000)
        bench.play(milliseconds: 300)
        bench.car.phoneMayPlayMain = false
        bench.play(milliseconds: 50)
        let held = bench.play(milliseconds: 200), report = bench.car.report(owner: "car")
        // The prompt itself, resampled, reaches 440 Hz with -66 dB.
        #expect(level(held, 440) < 0.002 && abs(level(held, 1_000) - 0.5) < 0.03, "a prompt that began under a duck is not turned down by it: \(level(held, 440)) \(level(held, 1_000))")
        #expect(report.streams.map(\.held) == [true, false] && report.ducking == nil)
        try bench.start(StreamKey(.assistant, 1))
        #expect(bench.link.refusals.last == .notOwned)
        bench.car.phoneMayPlayMain = true
        #expect(abs(bench.level() - 0.5) < 0.03, "a phone that went on is heard again")
    }

    @Test func aNewConnectionHasStreamsOfItsOwn() throws {
        let bench = try playing(), old = bench.feed
        bench.connect()
        #expect(bench.level() == 0)
        try bench.start(media, hertz: 700) // the same number
        #expect(bench.link.refusals == [.none])
        old.disconnected()
        #expect(abs(bench.level(700, after: 200) - 0.5) < 0.03, "the end of the old connection is nothing to it")
    }

    @Test func aBrokenMessageClosesAndSilences() throws {
        let bench = try playing()
        bench.say(32, MessageType.audioPacket, [1, 2, 3])
        #expect(bench.link.closed == .badMessage)
        #expect(bench.level() == 0)
        try bench.start(StreamKey(.media, 2))
        #expect(bench.link.refusals == [.none], "nothing is answered any more")
    }

    @Test func badPacketsAreLostPackets() throws {
        let bench = try SoundBench()
        try bench.start(media)
        var random = SystemRandomNumberGenerator()
        for size in [0, 1, 3, 7, 480, 5_761, 8_000] {
            let data = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            bench.say(32, MessageType.audioPacket, AudioPacketHeader(stream: 1, sequence: .random(in: 0 ... .max), time: .random(in: 0 ... .max)).encoded + data)
        }
        bench.play(milliseconds: 300)
        #expect(bench.link.closed == nil)
    }

    @Test func messagesBeforeTheConnectionIsKnownWaitForIt() throws {
        let bench = try SoundBench()
        let feed = bench.car.feed(), link = FakeSoundLink()
        feed.received(33, MessageType.streamStart, try StreamStart.with { $0.stream = 1; $0.format = SoundFormat(.opus, sampleRate: 48_000, channels: 1).wire }.serializedBytes(), arrival: 0)
        #expect(link.refusals.isEmpty)
        feed.connected(link)
        #expect(link.refusals == [.none])
    }
}
