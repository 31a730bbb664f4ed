import Dispatch
import FasciaSound
import FasciaSoundSimulation
import FasciaWire
import Glibc
import Synchronization
import Testing
@testable import FasciaHeadUnit

/// The car's microphone: open while a phone listens, and every wish for it answered, in order.
@Suite struct CarMicrophoneTests {
    /// What the microphone was asked for is done when they return, unless they are not told to wait.
    func listen(_ stream: UInt32, _ codec: SoundFormat.Codec, _ bench: SoundBench, waits: Bool = true) throws {
        let format = SoundFormat(codec, sampleRate: 16_000, channels: 1).wire
        bench.say(48, MessageType.streamStart, try StreamStart.with { $0.stream = stream; $0.format = format; $0.label = "Assistant" }.serializedBytes())
        if waits { bench.car.microphone.queue.sync {} }
    }

    func listen(_ stream: UInt32, _ bench: SoundBench, waits: Bool = true) throws { try listen(stream, .pcm16, bench, waits: waits) }

    func stop(_ stream: UInt32, _ bench: SoundBench, waits: Bool = true) throws {
        bench.say(48, MessageType.streamStop, try StreamStop.with { $0.stream = stream }.serializedBytes())
        if waits { bench.car.microphone.queue.sync {} }
    }

    @Test(arguments: [SoundFormat.Codec.pcm16, .opus]) func theMicrophoneIsOpenWhileThePhoneListens(codec: SoundFormat.Codec) throws {
        let source = ManualSource()
        let bench = try SoundBench(microphone: Microphone(name: "fake") { _ throws(SoundError) in source })
        try listen(1, codec, bench)
        #expect(bench.link.refusals == [.none] && source.isOpen && bench.car.listener == "Assistant")
        for block in 0..<7 as Range<UInt64> { source.hear(100, at: 1_000_000_000 + block * 6_250_000) }
        let packets = bench.link.sent(MessageType.audioPacket)
        let headers = packets.compactMap { AudioPacketHeader(decoding: $0.body) }
        #expect(headers.map(\.sequence) == (codec == .pcm16 ? [0, 1, 2, 3] : [0, 1]))
        #expect(headers.map(\.time) == (codec == .pcm16 ? [0, 10, 20, 30] : [0, 20]).map { 1_000_000_000 + $0 * 1_000_000 })
        if codec == .pcm16 { #expect(packets.allSatisfy { $0.body.count == AudioPacketHeader.size + 320 }) }
        try listen(2, codec, bench)
        #expect(bench.link.refusals.last == .tooMany)
        try stop(1, bench)
        #expect(!source.isOpen && bench.car.listener == nil)
    }

    @Test func theMicrophoneClosesWithTheLinkAndForACallOfTheCars() throws {
        let sources = Mutex([ManualSource]())
        let bench = try SoundBench(microphone: Microphone(name: "fake") { _ throws(SoundError) in
            let source = ManualSource()
            sources.withLock { $0.append(source) }
            return source
        })
        try listen(1, bench)
        bench.car.apply(CarSoundState(phoneMayPlayMain: false, radio: false, call: .talking))
        bench.car.microphone.queue.sync {}
        #expect(sources.withLock { $0.allSatisfy { !$0.isOpen } } && bench.link.sent(MessageType.streamStop).count == 1 && bench.car.listener == nil)
        try listen(2, bench)
        #expect(bench.link.refusals.last == .noDevice)
        bench.car.apply(CarSoundState())
        try listen(3, bench)
        #expect(bench.link.refusals.last == StreamRefusal.none && bench.car.listener != nil)
        bench.feed.disconnected()
        bench.car.microphone.queue.sync {}
        #expect(sources.withLock { $0.count == 2 && $0.allSatisfy { !$0.isOpen } } && bench.car.listener == nil)
    }

    @Test func aMicrophoneThatCannotBeOpenedIsRefusedInWords() throws {
        let bench = try SoundBench(microphone: Microphone(name: "broken") { _ throws(SoundError) in throw SoundError(.device, "it was unplugged") })
        try listen(1, bench)
        #expect(bench.link.refusals == [.noDevice] && bench.car.listener == nil)
        let answer = try StreamStarted(serializedBytes: try #require(bench.link.sent(MessageType.streamStarted).first).body)
        #expect(answer.detail.contains("unplugged"))
        #expect(bench.link.sent(MessageType.streamStop).isEmpty)
    }

    /// One answer to each StreamStart, and then a StreamStop that says why.
    @Test(arguments: ["it was unplugged", nil]) func aMicrophoneThatFailsAfterItOpenedIsStopped(failure: String?) throws {
        let bench = try SoundBench(microphone: Microphone(name: "failing", patience: 0.001) { _ throws(SoundError) in ManualSource(failure: failure) })
        try listen(1, bench)
        for _ in 0..<10_000 where bench.link.sent(MessageType.streamStop).isEmpty { _ = bench.car.microphone.queue.sync { usleep(1_000) } }
        #expect(bench.link.refusals == [.none] && bench.car.listener == nil)
        let stops = try bench.link.sent(MessageType.streamStop).map { try StreamStop(serializedBytes: $0.body) }
        #expect(stops.map(\.stream) == [1] && stops.allSatisfy { $0.detail.contains(failure ?? "no sound any more") })
        #expect(bench.car.takeNews().contains { $0.event == "microphone-failed" })
    }

    /// In the event file each opening has its end, and what never opened has none.
    @Test func openingsAndClosingsArePairs() throws {
        let gate = DispatchSemaphore(value: 0)
        let bench = try SoundBench(microphone: Microphone(name: "slow") { _ throws(SoundError) in
            gate.wait()
            return ManualSource()
        })
        func events() -> [String] { bench.car.takeNews().map(\.event) }
        try listen(1, bench, waits: false)
        try stop(1, bench, waits: false)
        gate.signal()
        bench.car.microphone.queue.sync {}
        #expect(events() == [])
        for _ in 2...3 { gate.signal() }
        try listen(2, bench)
        try stop(2, bench, waits: false)
        try listen(3, bench)
        #expect(events() == ["microphone-opened", "microphone-closed", "microphone-opened"])
        bench.feed.disconnected()
        bench.car.microphone.queue.sync {}
        #expect(events() == ["microphone-closed"])
    }

    /// The device takes its time.
    @Test func answersForTheMicrophoneComeInOrder() throws {
        let gate = DispatchSemaphore(value: 0), sources = Mutex([ManualSource]())
        let bench = try SoundBench(microphone: Microphone(name: "slow") { _ throws(SoundError) in
            gate.wait()
            let source = ManualSource()
            sources.withLock { $0.append(source) }
            return source
        })
        try listen(1, bench, waits: false)
        try listen(2, bench, waits: false)
        #expect(bench.link.refusals.isEmpty)
        try stop(1, bench, waits: false)
        #expect(bench.link.refusals == [.noDevice, .tooMany], "each is answered, the first one first")
        try listen(3, bench, waits: false)
        for _ in 1...2 { gate.signal() }
        bench.car.microphone.queue.sync {}
        #expect(bench.link.refusals == [.noDevice, .tooMany, .none])
        #expect(sources.withLock { $0.map(\.isOpen) } == [false, true], "what nobody wants any more is not started")
        try stop(3, bench, waits: false)
        try listen(4, bench, waits: false)
        for stream in 5...24 as ClosedRange<UInt32> { try listen(stream, bench, waits: false) }
        let answers = try bench.link.sent(MessageType.streamStarted).map { try StreamStarted(serializedBytes: $0.body).stream }
        #expect(answers == Array(1...20), "a device that cannot make up its mind is given up, the next start asks anew")
        for _ in 1...2 { gate.signal() }
        bench.car.microphone.queue.sync {}
    }
}
