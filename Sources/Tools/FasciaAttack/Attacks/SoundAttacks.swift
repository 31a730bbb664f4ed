import FasciaFraming
import FasciaRawPeer
import FasciaWire

extension Attack where Arena == HeadUnitArena {
    /// A paired phone gone bad, on the channels of sound and ownership.
    static let sound: [Attack<HeadUnitArena>] = [
        Attack("sound-flood", .paired, "a stream on every route, a thousand packets a time, as fast as credit allows") { arena in
            let peer = try arena.sounding()
            for channel in SoundFlood.routes { try peer.start(1, on: channel) }
            try arena.flood(peer) { SoundFlood.packet(1, $0, [UInt8](repeating: 0x55, count: 1_920)) }
        },
        Attack("sound-starts", .paired, "streams of every format begun, ducked, changed and ended, thousands a second") { arena in
            let peer = try arena.sounding()
            try arena.flood(peer) { number in
                let format = AudioFormat.with { $0.codec = .random; $0.sampleRate = [8_000, 16_000, 24_000, 44_100, 48_000, .max].randomElement() ?? 0; $0.channels = .random(in: 0...3) }
                let start = StreamStart.with {
                    ($0.stream, $0.format, $0.gainDb, $0.label) = (number + 1, format, .random(in: -200...100), String(repeating: "x", count: 64))
                    $0.duck = .with { $0.levelDb = .random(in: -200...0); $0.rampMs = .random(in: 0 ... .max) }
                }
                let stop = StreamStop.with { $0.stream = number; $0.drain = true }
                return [(MessageType.streamStart, (try? start.serializedBytes()) ?? []), (MessageType.streamStop, (try? stop.serializedBytes()) ?? [])]
            }
        },
        Attack("sound-numbers", .paired, "packets of impossible times, sequences, streams and lengths, Opus that is none") { arena in
            let peer = try arena.sounding()
            for channel in SoundFlood.routes {
                try peer.start(1, on: channel)
                try peer.start(2, on: channel) { $0.format = .with { $0.codec = .opus; $0.sampleRate = 48_000; $0.channels = 2 } }
            }
            var flood = SoundFlood()
            for _ in 0..<50 where !arena.isOver {
                try flood.go(peer, arena.tally) { _ in
                    let header = AudioPacketHeader(stream: .random(in: 0...3), sequence: .random(in: 0 ... .max), time: [0, 1, .max, 1 << 63, .random(in: 0 ... .max)].randomElement() ?? 0)
                    return [(MessageType.audioPacket, header.encoded + Mutation.noise(.random(in: 0...8_000)))]
                }
            }
        },
        Attack("sound-noise", .paired, "messages of sound with damaged bytes, on every channel") { arena in
            let peer = try arena.sounding()
            for channel in SoundFlood.routes + [48] {
                var start = StreamStart()
                (start.stream, start.label) = (1, "noise")
                start.format = .with { $0.codec = .pcm16; $0.sampleRate = 48_000; $0.channels = 2 }
                let body = try Mutation.of(start.serializedBytes())
                try arena.send(Peer.frames(channel, .random(in: MessageType.streamStart...MessageType.streamStatus), body), to: peer)
            }
            _ = try peer.next(within: .milliseconds(20))
        },
        Attack("microphone", .paired, "the microphone asked for and given back, as fast as it goes") { arena in
            let peer = try arena.sounding()
            for stream in 1...500 as ClosedRange<UInt32> where !arena.isOver {
                try peer.start(stream, on: 48) { $0.format = .with { $0.codec = .pcm16; $0.sampleRate = 16_000; $0.channels = 1 } }
                try arena.send(Peer.frames(48, MessageType.streamStop, try StreamStop.with { $0.stream = stream }.serializedBytes()), to: peer)
            }
            _ = try peer.next(within: .milliseconds(50))
        },
        Attack("ownership-flood", .paired, "screen and main audio taken, lent and given back without waiting for an answer, with numbers right and wrong") { arena in
            let peer = try arena.sounding()
            try arena.flood(peer, on: [5]) { number in
                let request = OwnershipRequest.with {
                    $0.number = number % 50 == 49 ? .random(in: 0 ... .max) : UInt64(number) + 1
                    let resource: OwnedResource = Bool.random() ? .screen : .mainAudio
                    switch number % 3 {
                    case 0: $0.take = .with { ($0.resource, $0.priority, $0.takeConstraint, $0.borrowConstraint) = (resource, .userInitiated, .anyTime, .anyTime) }
                    case 1: $0.borrow = .with { ($0.resource, $0.priority, $0.unborrowConstraint) = (resource, .userInitiated, .anyTime) }
                    default: $0.return = .with { $0.resource = resource }
                    }
                }
                return [(MessageType.ownershipRequest, (try? request.serializedBytes()) ?? [])]
            }
        },
    ]
}

extension AudioCodec {
    fileprivate static var random: AudioCodec { [.pcm16, .opus, .unspecified, .UNRECOGNIZED(77)].randomElement() ?? .pcm16 }
}

/// Messages on channels whose credit is kept to: what goes beyond it ends the connection, and with it the flood.
struct SoundFlood {
    typealias Messages = [(type: UInt16, body: [UInt8])]

    static let routes: [UInt16] = Array(32...37)
    private let channels: [UInt16]
    private var credit: [UInt16: Int]
    private var number: UInt32 = 0

    init(channels: [UInt16] = SoundFlood.routes) {
        self.channels = channels
        // A little less than the initial credit: what was sent before is not counted.
        credit = Dictionary(uniqueKeysWithValues: channels.map { ($0, 60_000) })
    }

    static func packet(_ stream: UInt32, _ sequence: UInt32, _ data: [UInt8]) -> Messages {
        [(MessageType.audioPacket, AudioPacketHeader(stream: stream, sequence: sequence, time: UInt64(sequence) * 10_000_000).encoded + data)]
    }

    /// As many messages as credit allows, then takes what has come.
    /// - Parameter make: gets a number that rises from 0.
    mutating func go(_ peer: Peer, _ tally: Tally, _ make: (UInt32) -> Messages) throws {
        var bytes: [UInt8] = []
        for channel in channels {
            for _ in 0..<1_000 {
                let messages = make(number)
                let size = messages.reduce(0) { $0 + 2 + $1.body.count }
                guard credit[channel, default: 0] >= size else { break }
                credit[channel, default: 0] -= size
                for (type, body) in messages { bytes += Peer.frames(channel, type, body) }
                number += 1
            }
        }
        try peer.send(bytes)
        tally.sent(bytes.count)
        if peer.isOver { throw Deviation("turned away") }
        while let arrival = try peer.next(within: .milliseconds(bytes.isEmpty ? 20 : 1)) {
            if case .credit(let channel, let more) = arrival { credit[channel, default: 0] += Int(more) }
            if case .ended(let how) = arrival { throw Deviation(how) }
        }
    }
}

extension HeadUnitArena {
    /// As the paired phone past Welcome, with all channels of sound and ownership.
    func sounding() throws -> Peer {
        let peer = try greeted { $0.addSound() }
        peer.answersProbes = true
        _ = try peer.expect(MessageType.welcome, within: .seconds(1))
        return peer
    }

    /// Until the attack is over.
    fileprivate func flood(_ peer: Peer, on channels: [UInt16] = SoundFlood.routes, _ make: (UInt32) -> SoundFlood.Messages) throws {
        var flood = SoundFlood(channels: channels)
        while !isOver { try flood.go(peer, tally, make) }
    }
}

extension Attack where Arena == PhoneArena {
    /// A car gone bad, on the channels of sound and ownership.
    static let sound: [Attack<PhoneArena>] = [
        Attack("sound-states", .paired, "answers, figures and ends of streams that never were, without end") { arena in
            let peer = try arena.sounding()
            try arena.flood(peer) { number in
                let status = StreamStatus.with {
                    ($0.stream, $0.bufferedUs, $0.latencyUs, $0.concealed, $0.late) = (number % 20, .max, .max, .max, .max)
                    $0.volume = .random(in: 0...1)
                }
                let started = StreamStarted.with { $0.stream = .random(in: 0 ... .max); $0.refusal = .tooMany; $0.detail = String(repeating: "x", count: 200) }
                return [(MessageType.streamStatus, (try? status.serializedBytes()) ?? []), (MessageType.streamStarted, (try? started.serializedBytes()) ?? [])]
            }
        },
        Attack("microphone-flood", .paired, "sound of a microphone that nobody asked for, of impossible times and lengths") { arena in
            let peer = try arena.sounding()
            try arena.flood(peer, on: [48]) { number in
                SoundFlood.packet(.random(in: 0...3), number % 7 == 0 ? .random(in: 0 ... .max) : number, Mutation.noise(.random(in: 0...2_000)))
            }
        },
        Attack("sound-noise", .paired, "messages of sound with damaged bytes") { arena in
            let peer = try arena.sounding()
            let status = try StreamStatus.with { $0.stream = 1; $0.volume = 0.5; $0.targetUs = 20_000 }.serializedBytes() as [UInt8]
            for channel in SoundFlood.routes + [48] {
                try arena.send(Peer.frames(channel, .random(in: MessageType.streamStart...MessageType.streamStatus), Mutation.of(status)), to: peer)
            }
            _ = try peer.collect(for: .milliseconds(30))
        },
        Attack("ownership-flood", .paired, "screen and main audio given, taken and lent in turn, thousands of times a second") { arena in
            let peer = try arena.sounding()
            try arena.flood(peer, on: [5]) { number in
                func holding() -> Holding {
                    .with {
                        $0.owner = [Owner.phone, .car, .none].randomElement() ?? .none
                        $0.borrower = [Owner.none, .none, .car, .phone].randomElement() ?? .none
                        $0.reason = "flood"
                    }
                }
                let state = OwnershipState.with { ($0.sequence, $0.screen, $0.mainAudio) = (UInt64(number) + 10, holding(), holding()) }
                return [(MessageType.ownershipState, (try? state.serializedBytes()) ?? [])]
            }
        },
    ]
}

extension PhoneArena {
    /// Past a Welcome that opens all channels of sound and ownership the phone asked for.
    func sounding() throws -> Peer {
        let (peer, hello) = try greeted()
        let welcome = PhoneRig.welcome(hello) { welcome in
            welcome.channels = hello.channels.filter { [1, 2, 4, 5, 16, 48].contains($0) || (32...37).contains($0) }
            welcome.audio.formats = ([1, 2] as [UInt32]).map { channels in .with { $0.codec = .pcm16; $0.sampleRate = 48_000; $0.channels = channels } }
            welcome.audio.microphone = [.with { $0.codec = .pcm16; $0.sampleRate = 16_000; $0.channels = 1 }]
        }
        try peer.message(0, MessageType.welcome, welcome)
        return peer
    }

    /// For five seconds: then another connection, as the phone has one at a time.
    fileprivate func flood(_ peer: Peer, on channels: [UInt16] = SoundFlood.routes, _ make: (UInt32) -> SoundFlood.Messages) throws {
        var flood = SoundFlood(channels: channels)
        let end = min(deadline, .now + .seconds(5))
        while ContinuousClock.now < end { try flood.go(peer, tally, make) }
    }
}
