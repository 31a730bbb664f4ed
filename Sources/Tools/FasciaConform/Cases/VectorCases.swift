import FasciaRawPeer
import FasciaWire
import FixtureSupport

/// The golden vectors played to a live endpoint: what the manifest expects of a decoder must show on the connection.
enum VectorCases {
    /// Limits and channels that any endpoint of version 1 has; vectors for others are for decoders alone.
    private static let usual: JSON = .object(["max_frame_payload": .number(16_384), "max_message": .number(16_777_216),
                                              "channels": .array([1, 2, 4, 16].map { .number($0) }), "consume": .bool(true)])

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
            let deadline = ContinuousClock.now + .seconds(3)
            while !open.isEmpty, let arrival = try peer.next(until: deadline) {
                if case .acknowledgement(let bytes) = arrival { open.removeAll { Array(bytes.prefix(8)) == $0 } }
            }
            if let missing = open.first { throw Deviation("the probe \(missing) was not answered") }
            try peer.expectAlive()
        case .ends:
            let deadline = ContinuousClock.now + .seconds(3)
            while let arrival = try peer.next(until: deadline) {
                if case .close = arrival { throw Deviation("CLOSE was answered with CLOSE") }
                if case .ended = arrival { return }
            }
            throw Deviation("the connection stayed open after CLOSE")
        }
    }

    private static func ids(_ fixture: Fixture) -> [String] { (fixture.entry["requirements"]?.array ?? []).compactMap(\.string) }

    private static func make<Rig>(_ fixture: Fixture, _ run: @escaping @Sendable (Rig) throws -> Void) -> Case<Rig> {
        Case(section: fixture.entry["section"]?.string ?? "", ids: ids(fixture), title: "\(fixture.name): \(fixture.meaning)", run: run)
    }

    /// Vectors a stream of frames can be made of, for that receiver, and the way to play it.
    private static func streams(_ fixtures: [Fixture], receiver: String) -> [Fixture] {
        fixtures.filter { fixture in
            switch fixture.kind {
            // A live sender has to wait for the credit that this one takes for granted.
            case "session" where fixture.name == "session/beyond-initial-credit": false
            // Proceed follows Welcome; played at once, it may come before.
            case "session" where ["session/speculation-refused", "session/speculation-unfinished"].contains(fixture.name): false
            case "session": fixture.entry["receiver"]?.string == receiver && fixture.entry["mode"]?.string == "session" && fixture.entry["local"] == usual
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
                try peer.send(fixture.bytes)
                try check(peer, wanted(fixture))
            }
        }
        cases += fixtures.filter { $0.kind == "session" && $0.entry["receiver"]?.string == "headUnit" && $0.entry["mode"]?.string == "pairing" && $0.errorNumber != nil }
            // Those that send a PairStart with a share of no point of the curve are refused for that first.
            .filter { !($0.name == "session/pairing-start-twice" || $0.name == "session/pairing-wrong-code") }
            .map { fixture in
                make(fixture) { rig in
                    let peer = try rig.raw { $0.protocols = [ALPN.pairing] }
                    try peer.send(fixture.bytes)
                    try check(peer, wanted(fixture))
                }
            }
        cases += messages(fixtures, from: "phone").map { fixture in
            make(fixture) { rig in
                let isHello = fixture.bytes.prefix(2) == [0, 1]
                let peer = isHello ? try rig.raw() : try rig.session().peer
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

    /// Goes on, or closes with BAD_COMMIT because of what the message refers to; never BAD_MESSAGE.
    private static func refusedForContent(_ peer: Peer) throws {
        try peer.probe([0, 0, 0, 0, 0, 0, 0, 1])
        let deadline = ContinuousClock.now + .seconds(3)
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
                let (peer, _) = try rig.greeted()
                try peer.send(fixture.bytes)
                if case .goesOn = wanted(fixture) { peer.releaseCredit() }
                try check(peer, wanted(fixture))
            }
        }
        cases += messages(fixtures, from: "headUnit").filter { $0.name != "message/welcome-resumed" && $0.name != "message/welcome-resumed-empty" }.map { fixture in
            make(fixture) { rig in
                let isWelcome = fixture.bytes.prefix(2) == [0, 2]
                let peer = isWelcome ? try rig.greeted().peer : try rig.session().peer
                try peer.message(UInt16(fixture.entry["channel"]?.int ?? 0), UInt16(fixture.bytes[0]) << 8 | UInt16(fixture.bytes[1]), Array(fixture.bytes.dropFirst(2)))
                try check(peer, wanted(fixture))
            }
        }
        return cases
    }
}
