import FasciaPairing
import FasciaRawPeer
import FasciaTLS
import FasciaWire
import Foundation

extension HeadUnitCases {
    /// Section 4.4, 4.5 and 9.3, without those that lock pairing.
    static let pairing: [Case<HeadUnitRig>] = [
        Case("4.4", "P-13", title: "who got PairDone is let in at once, also when the connection then breaks") { rig in
            let newcomer = try Identity.generate().pem()
            let connection = try rig.pair(identity: newcomer)
            connection.abandon()
            let peer = try rig.raw { $0.identity = newcomer }
            try peer.message(0, MessageType.hello, HeadUnitRig.hello())
            _ = try peer.expect(MessageType.welcome)
        },
        Case("4.4", "P-14", title: "PAIRED is not waited for longer than GOODBYE_TIMEOUT") { rig in
            var (pairing, reply) = try rig.begun(identity: try Identity.generate().pem())
            guard case .send(let confirm) = pairing.exchange.receive(MessageType.pairReply, reply) else {
                throw Deviation("the head unit's confirmation is wrong")
            }
            try pairing.peer.message(0, confirm.type, confirm.body)
            _ = try pairing.peer.expect(MessageType.pairDone)
            try pairing.peer.expectClose(.paired, within: .seconds(5)) // PAIRING_TIMEOUT is far longer
        },
        Case("4.4", "P-1", title: "another's PairStart while one is at it is answered with BUSY") { rig in
            let (first, _) = try rig.begun()
            let second = try rig.pairing(identity: try Identity.generate().pem())
            try second.peer.message(0, second.start.type, second.start.body)
            try second.peer.expectClose(.busy)
            first.peer.goodbye()
            try first.peer.expectEnd()
            try rig.pair() // takes the failure counted for the first back
        },
        Case("4.4", "P-1", title: "while a phone is served, pairing is closed or open, but never half done") { rig in
            _ = try rig.begun() // whatever was before is over
            rig.settle()
            let (served, _) = try rig.session()
            let pairing = try rig.pairing(identity: try Identity.generate().pem())
            try pairing.peer.message(0, pairing.start.type, pairing.start.body)
            do { _ = try pairing.peer.expect(MessageType.pairReply) } catch let refusal as Deviation where refusal.close == .pairingClosed {}
            pairing.peer.goodbye()
            try served.expectAlive()
        },
        Case("4.5", "P-3", "P-4", title: "the exchange with the right code ends with PairDone") { rig in try rig.pair() },
        Case("4.5", "P-8", title: "a share that is not on the curve is BAD_MESSAGE") { rig in
            try spoilt(rig) { $0.share[40] ^= 1 }
        },
        Case("4.5", "P-8", title: "a compressed share is BAD_MESSAGE") { rig in
            try spoilt(rig) { $0.share = $0.share.prefix(33) }
        },
        Case("4.5", "P-9", title: "a wrong confirmation is WRONG_CODE") { rig in
            let (pairing, _) = try rig.begun()
            try pairing.peer.message(0, MessageType.pairConfirm, PairConfirm.with { $0.confirmation = Data(repeating: 7, count: 32) })
            try pairing.peer.expectClose(.wrongCode)
            try pairing.peer.expectEnd()
            try rig.pair() // a success takes the count back
        },
        Case("9.3", "P-6", title: "a salt of another length is BAD_MESSAGE") { rig in
            try spoilt(rig) { $0.salt = Data(count: 15) }
        },
        Case("9.3", "P-6", title: "a name above MAX_NAME is BAD_MESSAGE") { rig in
            try spoilt(rig) { $0.name = String(repeating: "n", count: 65) }
        },
        Case("9.3", "P-5", title: "PairStart twice is ILLEGAL_MESSAGE") { rig in
            let (pairing, _) = try rig.begun()
            try pairing.peer.message(0, pairing.start.type, pairing.start.body)
            try pairing.peer.expectClose(.illegalMessage)
            try pairing.peer.expectEnd()
            try rig.pair()
        },
    ]

    /// Locks pairing for half a minute: the last of all.
    static let lockout: [Case<HeadUnitRig>] = [
        Case("4.4", "P-11", "P-12", title: "five attempts broken off after PairReply lock pairing, for the right code too") { rig in
            _ = try rig.session() // whatever was left of another session ends
            rig.settle()
            for _ in 0..<5 {
                let (pairing, _) = try rig.begun()
                pairing.peer.goodbye()
                try pairing.peer.expectEnd()
            }
            try rig.whenPairingIsOpen {
                let pairing = try rig.pairing()
                try pairing.peer.message(0, pairing.start.type, pairing.start.body)
                try pairing.peer.expectClose(.pairingLocked)
            }
            // Paired phones are not affected.
            _ = try rig.session()
        },
    ]

    /// A PairStart that is BAD_MESSAGE.
    private static func spoilt(_ rig: HeadUnitRig, _ edit: (inout PairStart) -> Void) throws {
        try rig.whenPairingIsOpen {
            let pairing = try rig.pairing()
            var start = try PairStart(serializedBytes: pairing.start.body)
            edit(&start)
            try pairing.peer.message(0, MessageType.pairStart, start)
            try pairing.peer.expectClose(.badMessage)
        }
    }
}
