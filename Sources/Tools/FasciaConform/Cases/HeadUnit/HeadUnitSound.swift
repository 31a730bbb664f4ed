import FasciaRawPeer
import FasciaWire

extension HeadUnitCases {
    /// A connection with sound; nil when the head unit has none: it conforms by not opening the channels.
    private static func listening(_ rig: HeadUnitRig, _ edit: (inout Hello) -> Void = { _ in }) throws -> (peer: Peer, welcome: Welcome)? {
        let (peer, welcome) = try rig.session {
            $0.addSound()
            edit(&$0)
        }
        return welcome.channels.contains(32) ? (peer, welcome) : nil
    }

    /// 10 ms of silence.
    private static let silence = [UInt8](repeating: 0, count: 1_920)

    /// spec/sound.md, and section 8.9.
    static let sound: [Case<HeadUnitRig>] = [
        Case("8.9", "K-1", title: "an answer carries the head unit's clock, which goes on") { rig in
            let (peer, welcome) = try rig.session { $0.capabilities.append(4) }
            guard welcome.capabilities.contains(4) else { return }
            var before: UInt64 = 0
            for opaque in [[1, 1, 1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2, 2, 2]] as [[UInt8]] {
                try peer.probe(opaque)
                while true {
                    guard let arrival = try peer.next(within: Peer.patience) else { throw Deviation("no answer") }
                    guard case .acknowledgement(let bytes) = arrival else { continue }
                    guard bytes.count == 16, Array(bytes.prefix(8)) == opaque else { throw Deviation("answered with \(bytes)") }
                    let clock = bytes.dropFirst(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                    if clock <= before { throw Deviation("its clock says \(clock) after \(before)") }
                    before = clock
                    break
                }
            }
        },
        Case("8.9", "K-1", title: "without the capability an answer has eight bytes") { rig in
            let (peer, _) = try rig.session()
            try peer.probe([1, 2, 3, 4, 5, 6, 7, 8])
            while let arrival = try peer.next(within: Peer.patience) {
                if case .acknowledgement(let bytes) = arrival { return bytes.count == 8 ? () : try { throw Deviation("answered with \(bytes.count) bytes") }() }
            }
            throw Deviation("no answer")
        },
        Case("8.9", "K-2", "K-4", title: "clocks of any value are taken, also jumping ones") { rig in
            let (peer, welcome) = try rig.session { $0.capabilities.append(4) }
            guard welcome.capabilities.contains(4) else { return }
            peer.answersProbes = false
            let clocks: [UInt8] = [0xFF, 0, 0x80, 0x7F]
            for arrival in try peer.collect(for: .milliseconds(700)) {
                guard case .probe(let opaque) = arrival else { continue }
                for clock in clocks { try peer.frame(.probe, flags: .ack, opaque + [UInt8](repeating: clock, count: 8)) }
            }
            try peer.expectAlive()
        },
        Case("sound 2", "S-2", title: "no route is opened for a phone without formats; PCM of 48 kHz is always taken") { rig in
            let (_, silent) = try rig.session { $0.addSound(); $0.audio.formats = [] }
            if let route = silent.channels.first(where: { (32...37).contains($0) }) { throw Deviation("channel \(route) is open") }
            guard let (_, welcome) = try listening(rig) else { return }
            for channels in 1...2 as ClosedRange<UInt32> where !welcome.audio.formats.contains(where: { $0.codec == .pcm16 && $0.sampleRate == 48_000 && $0.channels == channels }) {
                throw Deviation("PCM of 48,000 Hz with \(channels) channels is not taken")
            }
            if welcome.channels.contains(48) && welcome.audio.microphone.isEmpty { throw Deviation("channel 48 is open without a microphone") }
        },
        Case("sound 3", "S-3", title: "a format that was not offered is refused with FORMAT, and the link lives") { rig in
            guard let (peer, _) = try listening(rig) else { return }
            try peer.start(1) { $0.format.sampleRate = 12_345 }
            let answer = try peer.started()
            if answer.stream != 1 || answer.refusal != .format { throw Deviation("answered with \(answer)") }
            try peer.packet(1, 0, silence)
            try peer.expectAlive()
        },
        Case("sound 3", "S-4", title: "packets that are no sound are lost packets") { rig in
            guard let (peer, welcome) = try listening(rig) else { return }
            try peer.start(1)
            for (sequence, data) in ([[], [1], [1, 2, 3], [UInt8](repeating: 9, count: 8_000)] as [[UInt8]]).enumerated() { try peer.packet(1, UInt32(sequence), data) }
            if let opus = welcome.audio.formats.first(where: { $0.codec == .opus }) {
                try peer.start(2) { $0.format = opus }
                for (sequence, data) in ([[], [0xFF], [UInt8](repeating: 0xFF, count: 3_000)] as [[UInt8]]).enumerated() { try peer.packet(2, UInt32(sequence), data) }
            }
            try peer.expectAlive()
        },
        Case("sound 4.1", "S-5", title: "a stream's number rises on its channel") { rig in
            guard let (peer, _) = try listening(rig) else { return }
            try peer.start(5)
            _ = try peer.started()
            try peer.message(32, MessageType.streamStop, StreamStop.with { $0.stream = 5 })
            try peer.start(5)
            try peer.expectClose(.badMessage)
        },
        Case("sound 4.1", "S-6", title: "every StreamStart is answered once, in order; too many are refused, and the link lives") { rig in
            guard let (peer, _) = try listening(rig) else { return }
            for stream in 1...20 as ClosedRange<UInt32> { try peer.start(stream) }
            var answers: [StreamStarted] = []
            for _ in 1...20 { answers.append(try peer.started()) }
            if answers.map(\.stream) != Array(1...20) { throw Deviation("answered in the order \(answers.map(\.stream))") }
            if answers.count(where: { $0.refusal == .none }) > 16 { throw Deviation("more than 16 streams play") }
            try peer.expectAlive()
            for arrival in try peer.collect(for: .milliseconds(200)) {
                if case .message(_, MessageType.streamStarted, _) = arrival { throw Deviation("a stream was answered twice") }
            }
        },
        Case("sound 4.1", "S-7", title: "messages for streams that never were or are over are ignored") { rig in
            guard let (peer, _) = try listening(rig) else { return }
            try peer.packet(9, 0, silence)
            try peer.message(32, MessageType.streamUpdate, StreamUpdate.with { $0.stream = 9 })
            try peer.message(32, MessageType.streamStop, StreamStop.with { $0.stream = 9 })
            try peer.start(1)
            try peer.message(32, MessageType.streamStop, StreamStop.with { $0.stream = 1 })
            try peer.packet(1, 0, silence)
            try peer.message(32, MessageType.streamStop, StreamStop.with { $0.stream = 1; $0.drain = true })
            try peer.expectAlive()
        },
        Case("sound 4.1", "S-8", title: "streams end with their connection: after a resume their numbers begin anew") { rig in
            guard let (peer, first) = try listening(rig) else { return }
            try show(peer)
            try peer.start(3)
            _ = try peer.started()
            peer.abandon()
            guard let (again, second) = try listening(rig, {
                $0.resume.sessionID = first.sessionID
                $0.resume.token = first.resumeToken
            }) else { throw Deviation("the channel is not open after the resume") }
            if !second.hasResumed { throw Deviation("not resumed") }
            try again.packet(3, 0, silence)
            try again.start(1)
            let answer = try again.started()
            if answer.stream != 1 { throw Deviation("answered with \(answer)") }
        },
        Case("sound 4.3", "S-14", title: "a stream's status comes at most every 100 ms") { rig in
            guard let (peer, _) = try listening(rig) else { return }
            try peer.start(1)
            let start = ContinuousClock.now
            var count = 0
            for sequence in 0..<100 as Range<UInt32> {
                try peer.packet(1, sequence, silence)
                for arrival in try peer.collect(for: .milliseconds(10)) { if case .message(32, MessageType.streamStatus, _) = arrival { count += 1 } }
            }
            let most = Int(start.duration(to: .now) / .milliseconds(100)) + 2
            if count > most { throw Deviation("\(count) in the time of \(most)") }
        },
        Case("sound 7", "S-6", "S-23", title: "every StreamStart for the microphone is answered once, in order, also one that is stopped at once") { rig in
            guard let (peer, welcome) = try listening(rig), welcome.channels.contains(48), let format = welcome.audio.microphone.first else { return }
            for stream in 1...4 as ClosedRange<UInt32> {
                try peer.start(stream, on: 48) { $0.format = format }
                if stream.isMultiple(of: 2) { try peer.message(48, MessageType.streamStop, StreamStop.with { $0.stream = stream - 1 }) }
            }
            var answers: [UInt32] = []
            for _ in 1...4 { answers.append(try peer.started().stream) }
            if answers != [1, 2, 3, 4] { throw Deviation("answered in the order \(answers)") }
            for arrival in try peer.collect(for: .milliseconds(300)) {
                if case .message(_, MessageType.streamStarted, _) = arrival { throw Deviation("a stream was answered twice") }
            }
            try peer.expectAlive()
        },
        Case("sound 7", "S-22", "S-23", title: "the microphone sends from StreamStarted to StreamStop, and not else") { rig in
            guard let (peer, welcome) = try listening(rig), welcome.channels.contains(48), let format = welcome.audio.microphone.first else { return }
            func heard(_ milliseconds: Int) throws -> [AudioPacketHeader] {
                try peer.collect(for: .milliseconds(milliseconds)).compactMap { if case .message(48, MessageType.audioPacket, let body) = $0 { AudioPacketHeader(decoding: body) } else { nil } }
            }
            if try !heard(300).isEmpty { throw Deviation("it sends unasked") }
            try peer.start(1, on: 48) { $0.format = format }
            guard try peer.started().refusal == .none else { return }
            var packets: [AudioPacketHeader] = []
            let deadline = ContinuousClock.now + Peer.patience
            while packets.count < 10, ContinuousClock.now < deadline { packets += try heard(100) }
            if packets.isEmpty || packets.contains(where: { $0.stream != 1 }) { throw Deviation("no sound of stream 1 came") }
            for (one, next) in zip(packets, packets.dropFirst()) where next.sequence <= one.sequence { throw Deviation("packet \(next.sequence) came after \(one.sequence)") }
            try peer.message(48, MessageType.streamStop, StreamStop.with { $0.stream = 1 })
            try peer.expectAlive()
            // What was said before it heard of that may still be on its way.
            let patience = ContinuousClock.now + .seconds(2)
            while try !heard(400).isEmpty { if ContinuousClock.now > patience { throw Deviation("it goes on after StreamStop") } }
        },
    ]
}
