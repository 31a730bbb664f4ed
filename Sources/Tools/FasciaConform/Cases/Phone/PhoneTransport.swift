import COpenSSL
import FasciaRawPeer
import FasciaTLS
import FasciaWire

/// What a phone is asked.
enum PhoneCases {
    /// Section 4.4: the first, because the phone comes unpaired.
    static let pairing: [Case<PhoneRig>] = [
        Case("4.4", "P-3", "P-14", title: "the phone pairs with the code and closes with PAIRED on PairDone") { rig in
            let peer = try rig.pair()
            try peer.expectClose(.paired)
        },
    ]

    /// Sections 4.2, 4.3 and 5.
    static let transport: [Case<PhoneRig>] = [
        Case("4.2", "T-1", title: "a head unit with TLS 1.2 only is refused") { rig in
            do { _ = try rig.tls { ($0.minVersion, $0.maxVersion) = (TLS1_2_VERSION, TLS1_2_VERSION) } } catch is TLSFailure { return } catch is PlainSocket.Ended { return }
            throw Deviation("the handshake was accepted")
        },
        Case("4.2", "T-2", title: "names, dates and extensions of the head unit's certificate do not matter") { rig in
            let odd = try OddCertificate.expired(of: rig.identity)
            _ = try rig.greeted { $0.identity = odd }
        },
        Case("4.2", "T-2", "T-3", title: "the phone presents a certificate and asks for fascia/1") { rig in
            let peer = try rig.raw()
            if peer.secure.peer == nil { throw Deviation("no certificate") }
        },
        Case("4.2", "T-4", title: "TLS_AES_128_GCM_SHA256 with x25519, and with secp256r1") { rig in
            for group in ["X25519", "P-256"] {
                let (peer, _) = try rig.greeted {
                    $0.ciphers = "TLS_AES_128_GCM_SHA256"
                    $0.groups = group
                }
                peer.goodbye()
            }
        },
        Case("4.2", "T-9", title: "early data that is not accepted is sent again after the handshake") { rig in
            let (first, _, _) = try rig.session(tls: { ($0.invitesEarlyData, $0.sharesTickets) = (true, true) })
            _ = try first.expect(MessageType.commit)
            try first.expectAlive()
            first.abandon()
            // This end never accepts early data; whether the phone sent some or not, its Hello has to come.
            let (again, hello) = try rig.greeted { $0.sharesTickets = true }
            if hello.versionMin == 0 { throw Deviation("an empty Hello") }
            _ = again
        },
        Case("4.3", "N-2", "T-7", title: "another key at the same address gets no Hello, whatever the announcement says") { rig in
            let other = try Identity.generate().pem()
            do {
                let secure = try rig.tls { $0.identity = other }
                guard secure.agreedProtocol == ALPN.link else { return } // it asks to pair: with a code
                let peer = Peer(secure)
                while let arrival = try peer.next(within: Peer.patience) {
                    if case .message = arrival { throw Deviation("a message was sent to a key that is not paired") }
                    if case .ended = arrival { return }
                }
                throw Deviation("the connection stayed open")
            } catch is TLSFailure {} catch is PlainSocket.Ended {}
        },
        Case("5", "V-1", "H-1", title: "Hello is the first message") { rig in
            let peer = try rig.raw()
            while let arrival = try peer.next(within: Peer.patience) {
                guard case .message(let channel, let type, let body) = arrival else { continue }
                if channel == 0, type & 0x0F0F == 0x0A0A { continue } // GREASE
                guard channel == 0, type == MessageType.hello else { throw Deviation("message 0x\(String(type, radix: 16)) on channel \(channel) came first") }
                let hello = try Hello(serializedBytes: body)
                if hello.versionMin > hello.versionMax { throw Deviation("version_min is above version_max") }
                return
            }
            throw Deviation("no message came")
        },
        Case("5", "V-3", title: "a version outside its range is VERSION_UNSUPPORTED") { rig in
            let (peer, hello) = try rig.greeted()
            try rig.send(PhoneRig.welcome(hello) { $0.version = hello.versionMax + 1 }, to: hello, on: peer)
            try peer.expectClose(.versionUnsupported)
        },
    ]
}
