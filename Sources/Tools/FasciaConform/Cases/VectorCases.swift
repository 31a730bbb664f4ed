import FasciaFraming
import FasciaRawPeer
import FasciaWire
import FixtureSupport

/// The golden vectors played to a live endpoint: what the manifest expects of a decoder must show on the connection.
enum VectorCases {
    /// Whether any endpoint of version 1 has these limits; vectors for others are for decoders alone. Channels and capabilities are asked
    /// for when it is played.
    private static func isUsual(_ local: JSON?) -> Bool {
        local?["max_frame_payload"]?.int == 16_384 && local?["max_message"]?.int == 16_777_216 && local?["consume"]?.bool == true
    }

    /// Whether a vector's channels and capabilities are what an end has.
    private static func suits(_ fixture: Fixture, _ channels: [UInt32], _ capabilities: [UInt32]) -> Bool {
        func numbers(_ key: String) -> [UInt32] { (fixture.entry["local"]?[key]?.array ?? []).compactMap(\.int).map { UInt32($0) } }
        return Set(numbers("channels")).isSubset(of: channels) && Set(numbers("capabilities")).isSubset(of: capabilities)
    }

    private static func section(_ fixture: Fixture) -> String {
        let document = fixture.entry["document"]?.string.map { String($0.prefix { $0 != "." }) } ?? "link"
        let section = fixture.entry["section"]?.string ?? ""
        return document == "link" ? section : "\(document) \(section)"
    }

    private enum Wanted {
        case close(CloseCode)
        case goesOn(acknowledgements: [[UInt8]])
        /// The vector itself closes.
        case ends
    }

    private static func wanted(_ fixture: Fixture) -> Wanted {
        if let number = fixture.errorNumber { return .close(CloseCode(rawValue: number)) }
        if fixture.expect["events"]?.array?.contains(where: { $0["event"]?.string == "closed" }) == true { return .ends }
        return .goesOn(acknowledgements: (fixture.expect["probe_acks"]?.array ?? []).compactMap(\.hex))
    }

    private static func check(_ peer: Peer, _ wanted: Wanted) throws {
        switch wanted {
        case .close(let code): try peer.expectClose(code)
        case .goesOn(let acknowledgements):
            var open = acknowledgements
            let deadline = ContinuousClock.now + Peer.patience
            while !open.isEmpty, let arrival = try peer.next(until: deadline) {
                if case .acknowledgement(let bytes) = arrival { open.removeAll { Array(bytes.prefix(8)) == $0 } }
            }
            if let missing = open.first { throw Deviation("the probe \(missing) was not answered") }
            try peer.expectAlive()
        case .ends:
            let deadline = ContinuousClock.now + Peer.patience
            while let arrival = try peer.next(until: deadline) {
                if case .close = arrival { throw Deviation("CLOSE was answered with CLOSE") }
                if case .ended = arrival { return }
            }
            throw Deviation("the connection stayed open after CLOSE")
        }
    }

    private static func ids(_ fixture: Fixture) -> [String] { (fixture.entry["requirements"]?.array ?? []).compactMap(\.string) }

    private static func make<Rig>(_ fixture: Fixture, _ run: @escaping @Sendable (Rig) throws -> Void) -> Case<Rig> {
        Case(section: section(fixture), ids: ids(fixture), title: "\(fixture.name): \(fixture.meaning)", run: run)
    }

    /// Vectors a stream of frames can be made of, for that receiver, and the way to play it.
    private static func streams(_ fixtures: [Fixture], receiver: String) -> [Fixture] {
        fixtures.filter { fixture in
            switch fixture.kind {
            // A live sender has to wait for the credit that this one takes for granted.
            case "session" where fixture.name == "session/beyond-initial-credit": false
            // Proceed follows Welcome; played at once, it may come before.
            case "session" where ["session/speculation-refused", "session/speculation-unfinished"].contains(fixture.name): false
            case "session": fixture.entry["receiver"]?.string == receiver && fixture.entry["mode"]?.string == "session" && isUsual(fixture.entry["local"])
            case "frame": fixture.errorNumber != nil && fixture.entry["limit"]?.int == 16_384 && fixture.expect["frames"]?.array?.isEmpty ?? true
            default: false
            }
        }
    }

    private static func messages(_ fixtures: [Fixture], from sender: String) -> [Fixture] {
        fixtures.filter { $0.kind == "message" && $0.entry["sender"]?.string == sender && !$0.name.hasPrefix("message/pair-") && $0.bytes.count >= 2 }
    }

    // MARK: Head unit

    static func headUnit(_ fixtures: [Fixture]) -> [Case<HeadUnitRig>] {
        var cases: [Case<HeadUnitRig>] = streams(fixtures, receiver: "headUnit").map { fixture in
            make(fixture) { rig in
                let peer = try rig.raw()
                guard try play(fixture, peer) else { return }
                try check(peer, wanted(fixture))
            }
        }
        cases += fixtures.filter { $0.kind == "session" && $0.entry["receiver"]?.string == "headUnit" && $0.entry["mode"]?.string == "pairing" && $0.errorNumber != nil }
            // Those that send a PairStart with a share of no point of the curve are refused for that first.
            .filter { !($0.name == "session/pairing-start-twice" || $0.name == "session/pairing-wrong-code") }
            .map { fixture in
                make(fixture) { rig in
                    try rig.whenPairingIsOpen {
                        let peer = try rig.raw { $0.protocols = [ALPN.pairing] }
                        try peer.send(fixture.bytes)
                        try check(peer, wanted(fixture))
                    }
                }
            }
        cases += messages(fixtures, from: "phone").map { fixture in
            make(fixture) { rig in
                let isHello = fixture.bytes.prefix(2) == [0, 1]
                let channel = UInt32(fixture.entry["channel"]?.int ?? 0)
                let needsSound = channel == 5 || channel >= 32
                let session = isHello ? nil : try rig.session { if needsSound { $0.addSound() } }
                if needsSound, session?.welcome.channels.contains(channel) == false { return } // it has no sound
                let peer = try session?.peer ?? rig.raw()
                try peer.message(UInt16(fixture.entry["channel"]?.int ?? 0), UInt16(fixture.bytes[0]) << 8 | UInt16(fixture.bytes[1]), Array(fixture.bytes.dropFirst(2)))
                // A commit alone may name what was never sent: then only its decoding is right, and the head unit says so.
                guard fixture.errorNumber != nil || isHello else { return try refusedForContent(peer) }
                try check(peer, wanted(fixture))
            }
        }
        cases += fixtures.filter { $0.kind == "resource" && $0.name != "resource/empty" }.map { fixture in
            make(fixture) { rig in
                let zstd = fixture.entry["zstd"]?.bool == true
                let peer = try rig.session { if !zstd { $0.capabilities.removeAll { $0 == UInt32(Capability.zstd.rawValue) } } }.peer
                try peer.message(16, MessageType.resource, fixture.bytes)
                try check(peer, wanted(fixture))
            }
        }
        cases += fixtures.filter { $0.kind == "display" }.map { fixture in
            make(fixture) { rig in
                let (peer, _) = try rig.session {
                    if fixture.entry["zstd"]?.bool == false { $0.capabilities.removeAll { $0 == UInt32(Capability.zstd.rawValue) } }
                    if fixture.entry["animations"]?.bool == false { $0.capabilities.removeAll { $0 == UInt32(Capability.animations.rawValue) } }
                }
                try peer.send(fixture.bytes)
                if case .close(let code) = wanted(fixture) { return try peer.expectClose(code) }
                guard let last = fixture.expect["applied"]?.array?.last?.int else { return try peer.expectAlive() }
                try presented(peer, UInt32(last))
            }
        }
        return cases
    }

    /// Sends a stream's bytes; past a Hello that asks for what not every head unit has, only if it gets it.
    /// - Returns: false when the head unit has not what the vector is about.
    private static func play(_ fixture: Fixture, _ peer: Peer) throws -> Bool {
        var parser = FrameParser()
        let isHello = { (frame: FrameParser.Frame) in frame.header.isMessage && frame.header.channel == 0 && frame.payload.starts(with: [0, 1]) }
        guard let hello = parser.frames(fixture.bytes).first, isHello(hello), !suits(fixture, [1, 2, 4, 16], [1, 2, 3]) else {
            try peer.send(fixture.bytes)
            return true
        }
        let end = FramingLimits.headerSize + hello.payload.count
        try peer.send(Array(fixture.bytes[..<end]))
        let welcome = try peer.expect(Welcome.self, MessageType.welcome)
        guard suits(fixture, welcome.channels, welcome.capabilities) else { return false }
        try peer.send(Array(fixture.bytes[end...]))
        return true
    }

    /// Goes on, or closes with BAD_COMMIT because of what the message refers to; never BAD_MESSAGE.
    private static func refusedForContent(_ peer: Peer) throws {
        try peer.probe([0, 0, 0, 0, 0, 0, 0, 1])
        let deadline = ContinuousClock.now + Peer.patience
        while let arrival = try peer.next(until: deadline) {
            switch arrival {
            case .acknowledgement, .close(.badCommit, _): return
            case .close(let code, let detail): throw Deviation("closed with \(code) (\(detail))")
            case .ended(let how): throw Deviation("the connection ended (\(how))")
            default: continue
            }
        }
        throw Deviation("neither went on nor closed")
    }

    static func presented(_ peer: Peer, _ sequence: UInt32) throws {
        while true {
            if try peer.expect(Presented.self, MessageType.presented).sequence >= sequence { return }
        }
    }

    // MARK: Phone

    static func phone(_ fixtures: [Fixture]) -> [Case<PhoneRig>] {
        var cases: [Case<PhoneRig>] = streams(fixtures, receiver: "phone").map { fixture in
            make(fixture) { rig in
                let (peer, hello) = try rig.greeted()
                guard fixture.kind != "session" || suits(fixture, hello.channels, hello.capabilities) else { return }
                try peer.send(fixture.bytes)
                if case .goesOn = wanted(fixture) { peer.releaseCredit() }
                try check(peer, wanted(fixture))
            }
        }
        cases += messages(fixtures, from: "headUnit").filter { $0.name != "message/welcome-resumed" && $0.name != "message/welcome-resumed-empty" }.map { fixture in
            make(fixture) { rig in
                let isWelcome = fixture.bytes.prefix(2) == [0, 2]
                let channel = UInt32(fixture.entry["channel"]?.int ?? 0)
                let (peer, hello) = try rig.greeted()
                if !isWelcome {
                    guard [1, 2, 16].contains(channel) || hello.channels.contains(channel) else { return } // it has no sound
                    try rig.send(PhoneRig.welcome(hello) { if !$0.channels.contains(channel) { $0.channels.append(channel) } }, to: hello, on: peer)
                }
                try peer.message(UInt16(fixture.entry["channel"]?.int ?? 0), UInt16(fixture.bytes[0]) << 8 | UInt16(fixture.bytes[1]), Array(fixture.bytes.dropFirst(2)))
                try check(peer, wanted(fixture))
            }
        }
        return cases
    }
}
