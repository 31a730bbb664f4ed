import Dispatch
import FasciaSound
import FasciaSoundIO
import FasciaWire
import Glibc
import Synchronization
import Testing
@testable import FasciaHeadUnit

/// Streams through the mixer to a sink that the test drives: levels are of what comes out.
@Suite struct CarSoundTests {
    let media = StreamKey(.media, 1), prompt = StreamKey(.navigation, 1)

    func level(_ samples: [Float], _ hertz: Double) -> Float { Goertzel.amplitude(samples, frequency: hertz, sampleRate: 48_000) }

    @Test func aStreamIsHeardAtItsRoutesVolume() throws {
        let bench = try SoundBench()
        try bench.start(media)
        #expect(bench.link.refusals == [.none] && bench.link.needsClock)
        bench.play(milliseconds: 300)
        #expect(abs(level(bench.play(milliseconds: 200), 440) - 0.5) < 0.02)
        bench.car.setVolume(.media, 0.5) // the square is the factor
        bench.play(milliseconds: 50)
        #expect(abs(level(bench.play(milliseconds: 200), 440) - 0.125) < 0.01)
        bench.car.setVolume(.navigation, 0)
        #expect(abs(level(bench.play(milliseconds: 200), 440) - 0.125) < 0.01, "a route's volume is its own")
        bench.car.setMute(.media, true)
        bench.play(milliseconds: 50)
        #expect(level(bench.play(milliseconds: 200), 440) < 0.0001)
        bench.car.setMute(.media, false)
        bench.play(milliseconds: 50)
        #expect(abs(level(bench.play(milliseconds: 200), 440) - 0.125) < 0.01)
        let report = bench.car.report(owner: "phone")
        #expect(report.streams.first?.latency_ms != nil && report.streams.first?.format == "PCM 48000 Hz mono" && report.routes["media"]?.volume == 50)
        let statuses = try bench.link.sent(MessageType.streamStatus).map { try FasciaWire.StreamStatus(serializedBytes: $0.body) }
        #expect((12...15).contains(statuses.count), "at most one in 100 ms: \(statuses.count)")
        #expect(statuses.contains { $0.muted } && statuses.last.map { !$0.muted && $0.volume == 0.5 && $0.latencyUs > 10_000 && $0.latencyUs < 60_000 } == true)
        try bench.stop(media)
        bench.play(milliseconds: 100)
        #expect(level(bench.play(milliseconds: 100), 440) == 0 && !bench.link.needsClock)
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
        bench.play(milliseconds: 50)
        #expect(abs(level(bench.play(milliseconds: 200), 440) - 0.5) < 0.03, "a phone that went on is heard again")
    }

    @Test func aNewConnectionHasStreamsOfItsOwn() throws {
        let bench = try SoundBench()
        try bench.start(media)
        bench.play(milliseconds: 200)
        let old = bench.feed
        bench.connect()
        bench.play(milliseconds: 50)
        #expect(level(bench.play(milliseconds: 100), 440) == 0)
        try bench.start(media, hertz: 700) // the same number
        #expect(bench.link.refusals == [.none])
        old.disconnected()
        bench.play(milliseconds: 200)
        #expect(abs(level(bench.play(milliseconds: 200), 700) - 0.5) < 0.03, "the end of the old connection is nothing to it")
    }

    @Test func aBrokenMessageClosesAndSilences() throws {
        let bench = try SoundBench()
        try bench.start(media)
        bench.play(milliseconds: 200)
        bench.say(32, MessageType.audioPacket, [1, 2, 3])
        #expect(bench.link.closed == .badMessage)
        bench.play(milliseconds: 50)
        #expect(level(bench.play(milliseconds: 100), 440) == 0)
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

    // MARK: Microphone

    final class FakeSource: SoundSource {
        let name = "fake", sampleRate = 16_000, channels = 1
        private let state = Mutex((receive: SoundReceive?.none, stopped: false))
        private let failure: String?
        init(failure: String? = nil) { self.failure = failure }
        func start(_ receive: @escaping SoundReceive) throws(SoundError) {
            if let failure { throw SoundError(.device, failure) }
            state.withLock { $0.receive = receive }
        }
        func stop() { state.withLock { $0 = (nil, true) } }
        var isOpen: Bool { state.withLock { $0.receive != nil } }
        func hear(_ frames: Int, at time: UInt64) {
            let samples = [Float](repeating: 0.25, count: frames)
            let receive = state.withLock(\.receive)
            samples.withUnsafeBufferPointer { if let base = $0.baseAddress { receive?(base, frames, time) } }
        }
    }

    func listen(_ stream: UInt32, _ format: SoundFormat, _ bench: SoundBench) throws {
        bench.say(48, MessageType.streamStart, try StreamStart.with { $0.stream = stream; $0.format = format.wire; $0.label = "Assistant" }.serializedBytes())
        bench.car.microphone.queue.sync {}
    }

    @Test(arguments: [SoundFormat.Codec.pcm16, .opus]) func theMicrophoneIsOpenWhileThePhoneListens(codec: SoundFormat.Codec) throws {
        let source = FakeSource()
        let bench = try SoundBench(microphone: Microphone(name: "fake") { _ throws(SoundError) in source })
        let format = SoundFormat(codec, sampleRate: 16_000, channels: 1)
        try listen(1, format, bench)
        #expect(bench.link.refusals == [.none] && source.isOpen && bench.car.listener == "Assistant")
        for block in 0..<7 as Range<UInt64> { source.hear(100, at: 1_000_000_000 + block * 6_250_000) }
        let packets = bench.link.sent(MessageType.audioPacket)
        let headers = packets.compactMap { AudioPacketHeader(decoding: $0.body) }
        #expect(headers.map(\.sequence) == (codec == .pcm16 ? [0, 1, 2, 3] : [0, 1]))
        #expect(headers.map(\.time) == (codec == .pcm16 ? [0, 10, 20, 30] : [0, 20]).map { 1_000_000_000 + $0 * 1_000_000 })
        if codec == .pcm16 { #expect(packets.allSatisfy { $0.body.count == AudioPacketHeader.size + 320 }) }
        try listen(2, format, bench)
        #expect(bench.link.refusals.last == .tooMany)
        bench.say(48, MessageType.streamStop, try StreamStop.with { $0.stream = 1 }.serializedBytes())
        bench.car.microphone.queue.sync {}
        #expect(!source.isOpen && bench.car.listener == nil)
    }

    @Test func theMicrophoneClosesWithTheLinkAndForACallOfTheCars() throws {
        let sources = Mutex([FakeSource]())
        let bench = try SoundBench(microphone: Microphone(name: "fake") { _ throws(SoundError) in
            let source = FakeSource()
            sources.withLock { $0.append(source) }
            return source
        })
        let format = SoundFormat(.pcm16, sampleRate: 16_000, channels: 1)
        try listen(1, format, bench)
        bench.car.apply(CarSoundState(phoneMayPlayMain: false, radio: false, call: .talking))
        bench.car.microphone.queue.sync {}
        #expect(sources.withLock { $0.allSatisfy { !$0.isOpen } } && bench.link.sent(MessageType.streamStop).count == 1 && bench.car.listener == nil)
        try listen(2, format, bench)
        #expect(bench.link.refusals.last == .noDevice)
        bench.car.apply(CarSoundState())
        try listen(3, format, bench)
        #expect(bench.link.refusals.last == StreamRefusal.none && bench.car.listener != nil)
        bench.feed.disconnected()
        bench.car.microphone.queue.sync {}
        #expect(sources.withLock { $0.count == 2 && $0.allSatisfy { !$0.isOpen } } && bench.car.listener == nil)
    }

    @Test func aMicrophoneThatCannotBeOpenedIsRefusedInWords() throws {
        let bench = try SoundBench(microphone: Microphone(name: "broken") { _ throws(SoundError) in throw SoundError(.device, "it was unplugged") })
        try listen(1, SoundFormat(.pcm16, sampleRate: 16_000, channels: 1), bench)
        #expect(bench.link.refusals == [.noDevice] && bench.car.listener == nil)
        let answer = try StreamStarted(serializedBytes: try #require(bench.link.sent(MessageType.streamStarted).first).body)
        #expect(answer.detail.contains("unplugged"))
        #expect(bench.link.sent(MessageType.streamStop).isEmpty)
    }

    /// One answer to each StreamStart, and then a StreamStop that says why.
    @Test(arguments: ["it was unplugged", nil]) func aMicrophoneThatFailsAfterItOpenedIsStopped(failure: String?) throws {
        let bench = try SoundBench(microphone: Microphone(name: "failing", patience: 0.001) { _ throws(SoundError) in FakeSource(failure: failure) })
        try listen(1, SoundFormat(.pcm16, sampleRate: 16_000, channels: 1), bench)
        for _ in 0..<10_000 where bench.link.sent(MessageType.streamStop).isEmpty { _ = bench.car.microphone.queue.sync { usleep(1_000) } }
        #expect(bench.link.refusals == [.none] && bench.car.listener == nil)
        let stops = try bench.link.sent(MessageType.streamStop).map { try StreamStop(serializedBytes: $0.body) }
        #expect(stops.map(\.stream) == [1] && stops.allSatisfy { $0.detail.contains(failure ?? "no sound any more") })
        #expect(bench.car.takeNews().contains { $0.event == "microphone-failed" })
    }

    /// The device takes its time.
    @Test func answersForTheMicrophoneComeInOrder() throws {
        let gate = DispatchSemaphore(value: 0), sources = Mutex([FakeSource]())
        let bench = try SoundBench(microphone: Microphone(name: "slow") { _ throws(SoundError) in
            gate.wait()
            let source = FakeSource()
            sources.withLock { $0.append(source) }
            return source
        })
        func say(_ stream: UInt32, stop: Bool = false) throws {
            let format = SoundFormat(.pcm16, sampleRate: 16_000, channels: 1).wire
            bench.say(48, stop ? MessageType.streamStop : MessageType.streamStart,
                      stop ? try StreamStop.with { $0.stream = stream }.serializedBytes() : try StreamStart.with { $0.stream = stream; $0.format = format }.serializedBytes())
        }
        try say(1)
        try say(2)
        #expect(bench.link.refusals.isEmpty)
        try say(1, stop: true)
        #expect(bench.link.refusals == [.noDevice, .tooMany], "each is answered, the first one first")
        try say(3)
        for _ in 1...2 { gate.signal() }
        bench.car.microphone.queue.sync {}
        #expect(bench.link.refusals == [.noDevice, .tooMany, .none])
        #expect(sources.withLock { $0.map(\.isOpen) } == [false, true], "what nobody wants any more is not started")
        try say(3, stop: true)
        try say(4)
        for stream in 5...24 as ClosedRange<UInt32> { try say(stream) }
        let answers = try bench.link.sent(MessageType.streamStarted).map { try StreamStarted(serializedBytes: $0.body).stream }
        #expect(answers == Array(1...20), "a device that cannot make up its mind is given up, the next start asks anew")
        for _ in 1...2 { gate.signal() }
        bench.car.microphone.queue.sync {}
    }
}
