import FasciaSound
import FasciaWire
import Testing
@testable import FasciaHeadUnit

/// What a phone's messages mean, and what a hostile phone's do not.
@Suite struct SoundDeskTests {
    func start(_ stream: UInt32, _ format: SoundFormat = .init(.pcm16, sampleRate: 48_000, channels: 2), gain: Float = 0, label: String = "") throws -> [UInt8] {
        try StreamStart.with {
            $0.stream = stream
            $0.format = format.wire
            $0.gainDb = gain
            $0.label = label
        }.serializedBytes()
    }

    func answer(_ effects: [SoundDesk.Effect]) throws -> StreamStarted {
        for case .send(_, MessageType.streamStarted, let body) in effects { return try StreamStarted(serializedBytes: body) }
        throw SoundDesk.Violation(code: .internalError, detail: "no answer")
    }

    @Test func whatTheCarCannotPlayIsRefusedInWords() throws {
        var desk = SoundDesk(mayPlayMain: false, hasMicrophone: false)
        let cases: [(ChannelID, SoundFormat, StreamRefusal, String)] = [
            (33, .init(.pcm16, sampleRate: 22_050, channels: 1), .format, "22050 Hz"),
            (33, .init(.opus, sampleRate: 44_100, channels: 2), .format, "44100 Hz"),
            (33, .init(.pcm16, sampleRate: 48_000, channels: 6), .format, "6 channels"),
            (32, .init(.pcm16, sampleRate: 48_000, channels: 2), .notOwned, "main audio"),
            (34, .init(.opus, sampleRate: 16_000, channels: 1), .notOwned, "main audio"),
            (35, .init(.opus, sampleRate: 16_000, channels: 1), .notOwned, "main audio"),
            (48, .init(.pcm16, sampleRate: 16_000, channels: 1), .noDevice, "microphone"),
            (33, .init(.opus, sampleRate: 24_000, channels: 1), .none, ""),
            (36, .init(.pcm16, sampleRate: 44_100, channels: 2), .none, ""),
            (37, .init(.pcm16, sampleRate: 16_000, channels: 1), .none, ""),
        ]
        for (index, (channel, format, refusal, words)) in cases.enumerated() {
            let effects = try desk.received(channel, MessageType.streamStart, try start(UInt32(index + 1), format), now: 0)
            let answer = try answer(effects)
            #expect(answer.refusal == refusal && (words.isEmpty ? answer.detail.isEmpty : answer.detail.contains(words)), "\(format.text): \(answer.detail)")
            #expect(effects.contains { if case .order(.start) = $0 { true } else { false } } == (refusal == .none))
        }
        #expect(desk.streams.count == 3)
        var unknown = StreamStart()
        unknown.stream = 99
        unknown.format.codec = .UNRECOGNIZED(77)
        #expect(try answer(try desk.received(33, MessageType.streamStart, try unknown.serializedBytes(), now: 0)).refusal == .format)
    }

    @Test func streamsAreBoundedInNumberAndPace() throws {
        var desk = SoundDesk(mayPlayMain: true, hasMicrophone: true)
        for stream in 1...16 as ClosedRange<UInt32> { #expect(try answer(try desk.received(32, MessageType.streamStart, try start(stream), now: 0)).refusal == .none) }
        #expect(try answer(try desk.received(33, MessageType.streamStart, try start(1), now: 0)).refusal == .tooMany)
        // What still drains counts until the mixer is done with it.
        _ = try desk.received(32, MessageType.streamStop, try StreamStop.with { $0.stream = 3; $0.drain = true }.serializedBytes(), now: 0)
        #expect(try answer(try desk.received(33, MessageType.streamStart, try start(2), now: 0)).refusal == .tooMany)
        desk.ended([StreamKey(.media, 3)])
        #expect(try answer(try desk.received(33, MessageType.streamStart, try start(3), now: 0)).refusal == .none)
        var begun = 0
        for stream in 100...400 as ClosedRange<UInt32> {
            if try answer(try desk.received(37, MessageType.streamStart, try start(stream), now: 2_000_000_000)).refusal == .none { begun += 1 }
            _ = try desk.received(37, MessageType.streamStop, try StreamStop.with { $0.stream = stream }.serializedBytes(), now: 2_000_000_000)
            _ = try desk.received(32, MessageType.streamStop, try StreamStop.with { $0.stream = 1 }.serializedBytes(), now: 2_000_000_000)
        }
        #expect(begun <= SoundDesk.maximumStartsASecond)
    }

    @Test func brokenMessagesEndTheConnection() throws {
        let broken: [(ChannelID, UInt16, [UInt8])] = [
            (32, MessageType.streamStart, try start(0)),
            (32, MessageType.streamStart, try start(2, gain: .nan)),
            (32, MessageType.streamStart, try start(2, label: String(repeating: "x", count: 65))),
            (32, MessageType.streamStart, try start(1)), // again
            (32, MessageType.streamStart, [0xFF, 0xFF]),
            (32, MessageType.audioPacket, [UInt8](repeating: 0, count: 15)),
            (32, MessageType.streamUpdate, try StreamUpdate.with { $0.stream = 1; $0.gainDb = .infinity }.serializedBytes()),
            (48, MessageType.streamStop, [0x08]),
        ]
        for (channel, type, body) in broken {
            var desk = SoundDesk(mayPlayMain: true, hasMicrophone: true)
            _ = try desk.received(32, MessageType.streamStart, try start(1), now: 0)
            #expect(throws: SoundDesk.Violation.self, "\(MessageType.name(type) ?? "") \(body.count)") { try desk.received(channel, type, body, now: 0) }
        }
    }

    @Test func messagesOfStreamsThatAreNotThereAreIgnored() throws {
        var desk = SoundDesk(mayPlayMain: true, hasMicrophone: false)
        let packet = AudioPacketHeader(stream: 7, sequence: 0, time: 0).encoded + [UInt8](repeating: 0, count: 960)
        #expect(try desk.received(32, MessageType.audioPacket, packet, now: 0).isEmpty)
        #expect(try desk.received(32, MessageType.streamStop, try StreamStop.with { $0.stream = 7 }.serializedBytes(), now: 0).isEmpty)
        #expect(try desk.received(48, MessageType.streamStop, try StreamStop.with { $0.stream = 7 }.serializedBytes(), now: 0).isEmpty)
        #expect(try desk.received(32, MessageType.streamUpdate, try StreamUpdate.with { $0.stream = 7 }.serializedBytes(), now: 0).isEmpty)
    }

    /// The mixer may have stopped asking: a device that hangs.
    @Test func whatNobodyMixesIsBounded() {
        let inbox = SoundInbox(), key = StreamKey(.media, 1), other = StreamKey(.ui, 1)
        for sequence in 0..<10_000 as Range<UInt32> {
            inbox.put(.packet(key, AudioPacketHeader(stream: 1, sequence: sequence, time: 0), [], arrival: 0))
            inbox.put(.update(key, gain: 0, duck: nil))
        }
        #expect(inbox.put(.packet(other, AudioPacketHeader(stream: 1, sequence: 0, time: 0), [], arrival: 0)), "each stream has room of its own")
        var batch: [SoundOrder] = []
        inbox.take(&batch)
        #expect(batch.count == SoundInbox.maximumPackets + SoundInbox.maximumOrders + 1 && inbox.dropped == 10_000 - SoundInbox.maximumPackets)
        inbox.take(&batch)
        #expect(batch.isEmpty)
        #expect(inbox.put(.packet(key, AudioPacketHeader(stream: 1, sequence: 1, time: 0), [], arrival: 0)))
    }

    @Test func statusIsSentAtMostOnceAnInterval() throws {
        var desk = SoundDesk(mayPlayMain: true, hasMicrophone: false)
        let key = StreamKey(.media, 1)
        #expect(!desk.isStatusDue(key, now: 5, interval: 100))
        _ = try desk.received(32, MessageType.streamStart, try start(1), now: 0)
        #expect(desk.isStatusDue(key, now: 5, interval: 100))
        let mixer = Mixer()
        try mixer.start(key, format: .init(.pcm16, sampleRate: 48_000, channels: 2))
        mixer.setMute(.media, true)
        mixer.setVolume(.media, 0.5)
        var status = try #require(mixer.status.first)
        status.latency = 31_000_000
        guard case .send(32, MessageType.streamStatus, let body) = desk.status(status, now: 5) else {
            Issue.record("no status")
            return
        }
        let sent = try FasciaWire.StreamStatus(serializedBytes: body)
        #expect(sent.stream == 1 && sent.latencyUs == 31_000 && sent.muted && sent.volume == 0.5)
        #expect(!desk.isStatusDue(key, now: 104, interval: 100) && desk.isStatusDue(key, now: 105, interval: 100))
    }
}
