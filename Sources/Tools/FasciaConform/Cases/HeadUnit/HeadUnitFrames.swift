import FasciaFraming
import FasciaRawPeer
import FasciaWire

extension HeadUnitCases {
    /// Sections 5, 6 and 7, beside the vectors.
    static let frames: [Case<HeadUnitRig>] = [
        Case("5", "V-1", title: "another message than Hello first is ILLEGAL_MESSAGE") { rig in
            let peer = try rig.raw()
            try peer.message(16, MessageType.commit, Commit.with { $0.sequence = 1 })
            try peer.expectClose(.illegalMessage)
        },
        Case("5", "V-2", title: "the highest common version is chosen") { rig in
            let (_, welcome) = try rig.session { ($0.versionMin, $0.versionMax) = (1, 9) }
            if welcome.version != 1 { throw Deviation("version \(welcome.version) was chosen") }
        },
        Case("5", "V-3", title: "no common version is VERSION_UNSUPPORTED with a detail that names the head unit's") { rig in
            let peer = try rig.raw()
            try peer.message(0, MessageType.hello, HeadUnitRig.hello { ($0.versionMin, $0.versionMax) = (7, 9) })
            while let arrival = try peer.next(within: Peer.patience) {
                guard case .close(let code, let detail) = arrival else { continue }
                if code != .versionUnsupported || !detail.contains("1") { throw Deviation("closed with \(code), detail \"\(detail)\"") }
                return
            }
            throw Deviation("not closed")
        },
        Case("6.1", "F-2", title: "Hello byte by byte, one TLS record each, gives the same Welcome") { rig in
            let peer = try rig.raw()
            for byte in Peer.frames(0, MessageType.hello, try HeadUnitRig.hello().serializedBytes()) { try peer.send([byte]) }
            _ = try peer.expect(MessageType.welcome)
        },
        Case("6.1", "F-3", title: "1,000 headers that claim 16 KiB each, one a connection, cost nothing: it goes on answering") { rig in
            let (served, _) = try rig.session()
            // The largest frame allowed, its header only.
            try served.send(FrameHeader(length: FramingLimits.defaultMaxPayload, type: .message, flags: .whole, channel: 16).bytes)
            let other = try rig.raw()
            try other.expectAlive()
        },
        Case("6.1", "F-4", title: "a phone's smaller limit is kept to") { rig in
            let (peer, _) = try rig.session { $0.limits.maxFramePayload = 1_024 }
            try peer.expectAlive()
            if let long = peer.headers.first(where: { $0.length > 1_024 }) { throw Deviation("a frame of \(long.length) bytes came; the phone takes 1,024") }
        },
        Case("6.1", "F-12", title: "what follows a violation has no effect") { rig in
            let peer = try rig.raw()
            var bytes: [UInt8] = [0, 0, 0, 1, 3, 0x5A, 0, 0] // reserved byte
            bytes += Peer.frames(0, MessageType.hello, try HeadUnitRig.hello().serializedBytes())
            try peer.send(bytes)
            try peer.expectClose(.protocolError)
            for arrival in try peer.collect(for: .milliseconds(700)) { if case .message = arrival { throw Deviation("a message after the violation was answered") } }
        },
        Case("6.4", "F-9", title: "PROBE is answered with the same bytes") { rig in
            let (peer, _) = try rig.session()
            try peer.expectAlive()
        },
        Case("6.5", "F-11", title: "CLOSE with a detail that is not UTF-8 ends the connection as its code says") { rig in
            let (peer, _) = try rig.session()
            try peer.frame(.close, [0, 0, 0, 0, 0xFF, 0xC3, 0x28])
            try peer.expectEnd()
        },
        Case("6.5", "F-13", title: "CLOSE is not answered with CLOSE, and what follows it is ignored") { rig in
            let (peer, _) = try rig.session()
            try peer.send([0, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0] + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
            while let arrival = try peer.next(within: .seconds(2)) { if case .close(let code, _) = arrival { throw Deviation("answered with CLOSE \(code)") } }
        },
        Case("6.6", "X-1", "X-2", title: "frames of unknown types, GREASE and others, on any channel with any flags, are ignored") { rig in
            let (peer, _) = try rig.session()
            for type in [0x0A, 0x5A, 0xFA, 0x05, 0x77, 0xFF] as [UInt8] { try peer.frame(FrameType(rawValue: type), flags: FrameFlags(rawValue: 0xA5), channel: 0xBEEF, [1, 2, 3]) }
            try peer.expectAlive()
        },
        Case("7.1", "X-5", "X-2", title: "messages of unknown types, GREASE and others, are ignored, before Welcome too") { rig in
            let peer = try rig.raw()
            try peer.message(0, 0x0A0A, [9])
            try peer.message(0, 0x7FFF, [9])
            try peer.message(0, MessageType.hello, HeadUnitRig.hello { $0.capabilities += [0x0A0A, 0x1A1A]; $0.channels += [0x2A2A] })
            _ = try peer.expect(MessageType.welcome)
            try peer.message(16, 0x4A4A, [9])
            try peer.expectAlive()
        },
        Case("7.2", "M-4", title: "a message is too large as soon as its fragments are, not at its end") { rig in
            let (peer, _) = try rig.session()
            // Control: 65,536 bytes. Never LAST.
            var bytes: [UInt8] = []
            for index in 0..<5 { FrameWriter.frame(.message, flags: index == 0 ? .first : [], channel: 0, payload: [UInt8](repeating: 0x7F, count: 16_384), into: &bytes) }
            try peer.send(bytes)
            try peer.expectClose(.messageTooLarge)
        },
        Case("7.3", "M-6", title: "an illegal message in fragments is ILLEGAL_MESSAGE by its last") { rig in
            let (peer, _) = try rig.session()
            var bytes: [UInt8] = []
            FrameWriter.frame(.message, flags: .first, channel: 0, payload: [0, 2, 1], into: &bytes) // Welcome
            FrameWriter.frame(.message, flags: .last, channel: 0, payload: [1], into: &bytes)
            try peer.send(bytes)
            try peer.expectClose(.illegalMessage)
        },
    ]
}
