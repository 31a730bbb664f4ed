import FasciaFraming
import FasciaRawPeer
import FasciaWire

extension PhoneCases {
    /// Sections 6 and 8 but 8.7.
    static let connection: [Case<PhoneRig>] = [
        Case("6.1", "F-2", title: "Welcome byte by byte opens the session") { rig in
            let (peer, hello) = try rig.greeted()
            for byte in Peer.frames(0, MessageType.welcome, try PhoneRig.welcome(hello).serializedBytes()) { try peer.send([byte]) }
            _ = try peer.expect(MessageType.commit)
        },
        Case("6.1", "F-4", title: "a head unit's smaller limit is kept to") { rig in
            let (peer, _, _) = try rig.session { $0.limits.maxFramePayload = 1_024 }
            _ = try peer.expect(MessageType.commit)
            // Up to Welcome the default holds; what was cut before may be on its way.
            guard let change = peer.headers.firstIndex(where: { $0.length <= 1_024 && $0.channel == 16 }) else { return }
            if let long = peer.headers[change...].first(where: { $0.length > 1_024 }) { throw Deviation("a frame of \(long.length) bytes came; 1,024 is the limit") }
        },
        Case("6.4", "F-9", title: "PROBE is answered with the same bytes") { rig in try rig.session().peer.expectAlive() },
        Case("6.5", "F-13", title: "CLOSE is not answered with CLOSE") { rig in
            let (peer, _, _) = try rig.session()
            try peer.frame(.close, [0, 0, 0, 0])
            while let arrival = try peer.next(within: .seconds(2)) { if case .close(let code, _) = arrival { throw Deviation("answered with CLOSE \(code)") } }
        },
        Case("6.6", "X-1", "X-2", title: "frames of unknown types, GREASE and others, are ignored") { rig in
            let (peer, _, _) = try rig.session()
            for type in [0x0A, 0x5A, 0xFA, 0x05, 0x77, 0xFF] as [UInt8] { try peer.frame(FrameType(rawValue: type), flags: FrameFlags(rawValue: 0xA5), channel: 0xBEEF, [1, 2, 3]) }
            try peer.expectAlive()
        },
        Case("7.1", "X-5", "X-2", title: "messages of unknown types, GREASE and others, are ignored, before Welcome too") { rig in
            let (peer, hello) = try rig.greeted()
            try peer.message(0, 0x0A0A, [9])
            try peer.message(0, MessageType.welcome, PhoneRig.welcome(hello) { $0.capabilities += [0x0A0A] })
            try peer.message(1, 0x7FFF, [9])
            try peer.expectAlive()
        },
        Case("8.4", "C-2", title: "without credit a phone sends no more than the channel's first") { rig in
            let peer = try rig.raw()
            peer.givesCredit = false
            let hello = try peer.expect(Hello.self, MessageType.hello)
            try peer.message(0, MessageType.welcome, PhoneRig.welcome(hello))
            _ = try peer.collect(for: .milliseconds(1_000))
            if let sent = peer.received[16], sent > 1_048_576 { throw Deviation("\(sent) bytes came on the display channel") }
            if let sent = peer.received[4], sent > 262_144 { throw Deviation("\(sent) bytes came on the semantics channel") }
            try peer.expectAlive()
        },
        Case("8.4", "C-5", title: "CREDIT before Welcome is ILLEGAL_MESSAGE") { rig in
            let (peer, _) = try rig.greeted()
            try peer.frame(.credit, channel: 16, [0, 0, 1, 0])
            try peer.expectClose(.illegalMessage)
        },
        Case("8.5", "L-1", title: "a probe_interval out of range is brought into it, and suspect and dead after it") { rig in
            let (peer, _, _) = try rig.session { ($0.liveness.probeIntervalMs, $0.liveness.suspectAfterMs, $0.liveness.deadAfterMs) = (4_000_000_000, 1, 1) }
            _ = try peer.expect(MessageType.commit)
            // 10 s, 20 s, 30 s: in three seconds of silence nothing ends.
            for arrival in try peer.collect(for: .milliseconds(3_000)) {
                if case .close(let code, _) = arrival { throw Deviation("closed with \(code)") }
                if case .ended(let how) = arrival { throw Deviation("ended: \(how)") }
            }
        },
        Case("8.5", "L-2", title: "a silent head unit is probed every probe_interval") { rig in
            let (peer, _, _) = try rig.session { ($0.liveness.probeIntervalMs, $0.liveness.suspectAfterMs, $0.liveness.deadAfterMs) = (100, 2_000, 2_500) }
            _ = try peer.expect(MessageType.commit)
            try peer.expectProbes(every: 100, until: 2_500)
        },
        Case("8.5", "L-3", title: "a probe before Welcome is answered") { rig in try rig.greeted().peer.expectAlive() },
        Case("8.5", "L-6", title: "a head unit silent for dead_after is left, not before") { rig in
            let (peer, _, _) = try rig.session { ($0.liveness.probeIntervalMs, $0.liveness.suspectAfterMs, $0.liveness.deadAfterMs) = (100, 400, 800) }
            _ = try peer.expect(MessageType.commit)
            peer.answersProbes = false
            try peer.expectEnd()
            let took = peer.lastSent.duration(to: .now)
            if took < .milliseconds(795) { throw Deviation("left after \(took), before 800 ms") }
        },
        Case("8.5", "L-7", title: "a car whose round trip is not known yet is not late") { rig in
            let (peer, hello) = try rig.greeted()
            peer.answersProbes = false
            try rig.send(PhoneRig.welcome(hello) { ($0.liveness.probeIntervalMs, $0.liveness.suspectAfterMs, $0.liveness.deadAfterMs) = (500, 3_000, 9_000) }, to: hello, on: peer)
            _ = try peer.expect(MessageType.commit)
            _ = rig.waiting() // of the race that was before
            if rig.isDialled(within: .milliseconds(1_000)) { throw Deviation("the phone dialled anew although no probe was ever answered") }
        },
        Case("8.8", "E-1", "E-2", title: "after a violation CLOSE names it and the transport is dropped within GOODBYE_TIMEOUT") { rig in
            let (peer, _, _) = try rig.session()
            try peer.message(1, MessageType.touch, [0xFF, 0xFF])
            try peer.expectClose(.badMessage)
            try peer.expectEnd(within: .seconds(5)) // the other end never ends it
        },
        Case("8.8", "E-3", title: "an unknown close code ends the session") { rig in
            let (peer, _, _) = try rig.session()
            _ = try peer.expect(MessageType.commit)
            try peer.frame(.close, [0, 0, 0x77, 0x77])
            try peer.expectEnd()
            let (_, hello) = try rig.greeted()
            if hello.hasResume { throw Deviation("the session was offered again") }
        },
    ]
}
