import FasciaPairing
import FasciaRawPeer
import FasciaTLS
import FasciaWire
import Foundation

extension Attack where Arena == HeadUnitArena {
    /// Inside TLS, unpaired.
    static let stranger: [Attack<HeadUnitArena>] = [
        Attack("handshakes", .stranger, "full TLS handshakes with keys nobody knows") { arena in
            let identity = try Identity.generate().pem()
            for _ in 0..<20 where !arena.isOver {
                let peer = Peer(try SecureSocket.connect(try arena.socket(), TLSOffer(identity: identity), within: .seconds(5)))
                _ = try peer.next(within: .milliseconds(200))
            }
        },
        Attack("pairing-noise", .stranger, "pairing connections with damaged pairing messages") { arena in
            let peer = try arena.stranger()
            let vectors = arena.fixtures.filter { $0.kind == "session" && $0.entry["mode"]?.string == "pairing" }
            guard let bytes = vectors.randomElement()?.bytes else { return }
            try arena.send(Mutation.of(bytes), to: peer)
            _ = try peer.next(within: .milliseconds(50))
        },
        Attack("pairing-crowd", .stranger, "300 pairing connections that say nothing", workers: 1) { arena in
            var open: [Peer] = []
            while open.count < 300, !arena.isOver { if let peer = try? arena.stranger() { open.append(peer) } }
            arena.pause(.seconds(3))
        },
        Attack("pairing-shares", .stranger, "PairStart with shares that are no points of the curve") { arena in
            let peer = try arena.stranger()
            var share = Data([4] + Mutation.noise(64))
            if Bool.random() { share = Data(Mutation.noise(.random(in: 0...200))) }
            try peer.message(0, MessageType.pairStart, PairStart.with { $0.share = share; $0.salt = Data(Mutation.noise(16)); $0.name = "x" })
            _ = try peer.next(within: .milliseconds(200))
        },
        Attack("session-frames-while-pairing", .stranger, "frames of a session on a pairing connection") { arena in
            let peer = try arena.stranger()
            guard let bytes = arena.fixtures.filter({ $0.kind == "session" || $0.kind == "display" }).randomElement()?.bytes else { return }
            try arena.send(bytes, to: peer)
            _ = try peer.next(within: .milliseconds(50))
        },
    ]

    /// Locks pairing for a while: the last.
    static let guesses = Attack("pairing-guesses", .stranger, "wrong codes, until pairing locks and beyond", workers: 1) { arena in
        let identity = try Identity.generate()
        var offer = TLSOffer(identity: try identity.pem())
        offer.protocols = [ALPN.pairing]
        let peer = Peer(try SecureSocket.connect(try arena.socket(), offer, within: .seconds(5)))
        guard let car = peer.secure.peer, let code = PairingCode(String(format: "%06d", Int.random(in: 0...999_999))) else { return }
        let binding = PairingBinding(phone: identity.fingerprint.bytes, headUnit: car.bytes,
                                     exporter: peer.secure.export(label: PairingBinding.exporterLabel, length: PairingBinding.exporterLength))
        var exchange = PairingExchange(.phone, code: code, name: "Guesser", binding: binding)
        guard case .send(let start) = exchange.start() else { return }
        try peer.message(0, start.type, start.body)
        _ = try peer.expect(MessageType.pairReply, within: .seconds(5))
        try peer.message(0, MessageType.pairConfirm, PairConfirm.with { $0.confirmation = Data(Mutation.noise(32)) })
        _ = try peer.next(within: .seconds(1))
    }
}
