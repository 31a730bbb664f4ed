import FasciaFraming
import FasciaRawPeer
import FasciaWire

extension HeadUnitCases {
    /// Sections 8.1 to 8.6 and 8.8, beside the vectors.
    static let connection: [Case<HeadUnitRig>] = [
        Case("8.3", "C-6", title: "what comes on a channel that Welcome did not open, though Hello listed it, is discarded") { rig in
            let peer = try rig.raw()
            try peer.message(0, MessageType.hello, HeadUnitRig.hello { $0.channels.append(31) })
            try peer.message(31, MessageType.commit, Commit.with { $0.sequence = 1 })
            let welcome = try peer.expect(Welcome.self, MessageType.welcome)
            if welcome.channels.contains(31) { return } // it has sixteen screens
            try peer.message(31, MessageType.commit, Commit.with { $0.sequence = 2 })
            try peer.expectAlive()
        },
        Case("8.4", "C-3", title: "credit comes back, also for a message longer than the window") { rig in
            let (peer, _) = try rig.session()
            let size = 1_048_576 + 65_536
            var credit = 1_048_576, sent = 0
            let deadline = ContinuousClock.now + Peer.patience
            while sent < size {
                let count = min(16_384, size - sent)
                while credit < count {
                    guard let arrival = try peer.next(until: deadline) else { throw Deviation("\(sent) bytes are sent, the credit is used up and none came back") }
                    if case .credit(16, let bytes) = arrival { credit += Int(bytes) }
                    if case .close(let code, let detail) = arrival { throw Deviation("closed with \(code) (\(detail))") }
                }
                var flags: FrameFlags = []
                if sent == 0 { flags.insert(.first) }
                if sent + count == size { flags.insert(.last) }
                var payload = [UInt8](repeating: 0, count: count)
                if sent == 0 { (payload[0], payload[1]) = (0x7A, 0x7A) } // an unknown type, whose content does not matter
                var bytes: [UInt8] = []
                FrameWriter.frame(.message, flags: flags, channel: 16, payload: payload, into: &bytes)
                try peer.send(bytes)
                (sent, credit) = (sent + count, credit - count)
            }
            try peer.expectAlive()
        },
        Case("8.4", "C-5", title: "CREDIT before Hello is ILLEGAL_MESSAGE") { rig in
            let peer = try rig.raw()
            try peer.frame(.credit, channel: 16, [0, 0, 1, 0])
            try peer.expectClose(.illegalMessage)
        },
        Case("8.5", "L-1", title: "a proposal out of range is no error") { rig in
            let (peer, welcome) = try rig.session {
                $0.liveness.probeIntervalMs = 1
                $0.liveness.suspectAfterMs = 4_000_000_000
                $0.liveness.deadAfterMs = 1
            }
            _ = welcome
            try peer.expectAlive()
        },
        Case("8.5", "L-2", title: "a silent phone is probed every probe_interval") { rig in
            let (peer, welcome) = try rig.session()
            let interval = welcome.liveness.probeIntervalMs == 0 ? 100 : welcome.liveness.probeIntervalMs
            try peer.expectProbes(every: Int64(interval), until: Int64(welcome.liveness.deadAfterMs == 0 ? 1_500 : welcome.liveness.deadAfterMs))
        },
        Case("8.5", "L-3", title: "a probe before Hello is answered") { rig in try rig.raw().expectAlive() },
        Case("8.5", "L-3", "Q-1", title: "a probe is answered before the Welcome that waits") { rig in
            let peer = try rig.raw()
            try peer.send(Peer.frames(0, MessageType.hello, try HeadUnitRig.hello().serializedBytes()) + [0, 0, 8, 3, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
            while let arrival = try peer.next(within: Peer.patience) {
                switch arrival {
                case .acknowledgement: return
                case .message(_, MessageType.welcome, _): throw Deviation("Welcome came before the probe's answer")
                default: continue
                }
            }
            throw Deviation("no answer")
        },
        Case("8.5", "L-6", title: "a phone silent for dead_after is closed with TIMEOUT, not before") { rig in
            let (peer, welcome) = try rig.session()
            let dead = Int64(welcome.liveness.deadAfterMs == 0 ? 1_500 : welcome.liveness.deadAfterMs)
            peer.answersProbes = false
            try peer.expectClose(.timeout, within: .milliseconds(dead * 2 + 1_000))
            let took = peer.lastSent.duration(to: .now)
            if took < .milliseconds(dead - 5) { throw Deviation("closed after \(took), before \(dead) ms") }
        },
        Case("8.8", "E-1", title: "the transport is dropped within GOODBYE_TIMEOUT of CLOSE") { rig in
            let (peer, _) = try rig.session()
            try peer.message(0, MessageType.hello, HeadUnitRig.hello()) // a second Hello
            try peer.expectClose(.illegalMessage)
            try peer.expectEnd(within: .seconds(5)) // the other end never ends it
        },
        Case("8.8", "E-2", title: "only the first of two violations counts") { rig in
            let (peer, _) = try rig.session()
            try peer.send(Peer.frames(0, MessageType.hello, try HeadUnitRig.hello().serializedBytes()) + [0, 0, 1, 1, 3, 9, 0, 16, 0]) // a reserved byte
            try peer.expectClose(.illegalMessage)
            for arrival in try peer.collect(for: .milliseconds(600)) { if case .close(let code, _) = arrival { throw Deviation("a second CLOSE, \(code), came") } }
        },
        Case("8.8", "E-3", title: "an unknown close code ends the session like INTERNAL_ERROR") { rig in
            let (peer, welcome) = try rig.session()
            try peer.frame(.close, [0, 0, 0x77, 0x77])
            try peer.expectEnd()
            let (_, again) = try rig.session {
                $0.resume.sessionID = welcome.sessionID
                $0.resume.token = welcome.resumeToken
            }
            if again.hasResumed { throw Deviation("the session was resumed") }
        },
    ]
}
