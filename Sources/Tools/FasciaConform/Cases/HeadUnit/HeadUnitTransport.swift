import COpenSSL
import FasciaRawPeer
import FasciaTLS
import FasciaWire
import Glibc

/// What a head unit is asked.
enum HeadUnitCases {
    /// Alerts of RFC 8446, section 6.2.
    enum Alert {
        static let protocolVersion: Int32 = 70, noApplicationProtocol: Int32 = 120
    }

    /// Section 4.2 and 4.3.
    static let transport: [Case<HeadUnitRig>] = [
        Case("4.2", "T-1", title: "TLS 1.2 is refused") { rig in
            try refused { _ = try rig.tls { ($0.minVersion, $0.maxVersion) = (TLS1_2_VERSION, TLS1_2_VERSION) } }
        },
        Case("4.2", "T-1", title: "bytes that are not TLS end the connection") { rig in
            let socket = try rig.socket()
            let text = Array("GET / HTTP/1.0\r\n\r\n".utf8)
            _ = text.withUnsafeBytes { Glibc.send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            var byte: UInt8 = 0
            let deadline = ContinuousClock.now + Peer.patience // TLS_TIMEOUT and more
            while socket.wait(until: deadline) {
                let count = recv(socket.descriptor, &byte, 1, 0)
                if count == 0 || (count < 0 && errno != EAGAIN) { return }
            }
            throw Deviation("the connection was still open after \(Peer.patience)")
        },
        Case("4.2", "T-2", title: "a client without a certificate is refused") { rig in
            try refusedAtFirstRead(rig) { $0.identity = nil }
        },
        Case("4.2", "T-2", title: "names, dates and extensions of a certificate do not matter") { rig in
            let peer = try rig.raw { $0.identity = try? OddCertificate.expired(of: rig.identity) }
            try peer.message(0, MessageType.hello, HeadUnitRig.hello())
            _ = try peer.expect(MessageType.welcome)
        },
        Case("4.2", "T-3", title: "without ALPN the handshake ends with no_application_protocol") { rig in
            try refused(Alert.noApplicationProtocol) { _ = try rig.tls { $0.protocols = [] } }
        },
        Case("4.2", "T-3", title: "an unknown ALPN name ends the handshake with no_application_protocol") { rig in
            try refused(Alert.noApplicationProtocol) { _ = try rig.tls { $0.protocols = ["h2", "fascia/9"] } }
        },
        Case("4.2", "T-4", title: "TLS_AES_128_GCM_SHA256 with x25519, and with secp256r1") { rig in
            for group in ["X25519", "P-256"] {
                _ = try rig.tls {
                    $0.ciphers = "TLS_AES_128_GCM_SHA256"
                    $0.groups = group
                }
            }
        },
        Case("4.2", "T-6", title: "a ticket shortens a session's handshake, the pin is asked all the same") { rig in
            let (peer, _) = try rig.session()
            try peer.expectAlive()
            guard let ticket = peer.secure.sessions.last else { return } // tickets are an allowance
            peer.goodbye()
            try peer.expectEnd()
            let again = try rig.raw { $0.session = ticket }
            try again.message(0, MessageType.hello, HeadUnitRig.hello())
            _ = try again.expect(MessageType.welcome)
        },
        Case("4.2", "T-6", title: "no ticket is used for pairing") { rig in
            let (peer, _) = try rig.session()
            try peer.expectAlive()
            guard let ticket = peer.secure.sessions.last else { return }
            peer.goodbye()
            try peer.expectEnd()
            do {
                let pairing = try rig.tls {
                    $0.protocols = [ALPN.pairing]
                    $0.session = ticket
                }
                if pairing.isResumed { throw Deviation("a session's ticket was accepted for pairing") }
            } catch is TLSFailure {} // refused altogether: fine
        },
        Case("4.2", "T-5", title: "a first flight in early data is answered, and its ticket is good for nothing afterwards") { rig in
            let (peer, _) = try rig.session()
            try peer.expectAlive()
            guard let ticket = peer.secure.sessions.last(where: { $0.allowsEarlyData }) else { return } // early data is an allowance
            peer.goodbye()
            try peer.expectEnd()
            let flight = Peer.frames(0, MessageType.hello, try HeadUnitRig.hello().serializedBytes())
            let first = try rig.raw { ($0.session, $0.earlyData) = (ticket, flight) }
            if first.secure.earlyDataFate == .rejected { return } // that is allowed too
            _ = try first.expect(MessageType.welcome)
            first.goodbye()
            try first.expectEnd()
            let again = try rig.raw { $0.session = ticket }
            if again.secure.isResumed { throw Deviation("a ticket that brought early data was accepted once more") }
            try again.message(0, MessageType.hello, HeadUnitRig.hello())
            _ = try again.expect(MessageType.welcome)
        },
        Case("4.3", "T-7", title: "an unknown key is refused before any frame is looked at") { rig in
            let stranger = try Identity.generate().pem()
            try refusedAtFirstRead(rig) { $0.identity = stranger }
        },
    ]

    /// The handshake fails, with that alert if one is named.
    private static func refused(_ alert: Int32? = nil, _ body: () throws -> Void) throws {
        do { try body() } catch let failure as TLSFailure {
            if let alert, failure.alert != alert { throw Deviation("refused with \(failure.alert.map { "alert \($0)" } ?? failure.description), not alert \(alert)") }
            return
        } catch is PlainSocket.Ended {
            if let alert { throw Deviation("the connection ended without alert \(alert)") }
            return
        }
        throw Deviation("the handshake was accepted")
    }

    /// In TLS 1.3 a client's certificate is judged after its own side of the handshake is done.
    private static func refusedAtFirstRead(_ rig: HeadUnitRig, _ edit: (inout TLSOffer) -> Void) throws {
        do {
            let peer = try rig.raw(edit)
            try peer.message(0, MessageType.hello, HeadUnitRig.hello())
            while let arrival = try peer.next(within: Peer.patience) {
                switch arrival {
                case .ended: return
                case .message: throw Deviation("a message was answered")
                default: continue
                }
            }
            throw Deviation("the connection stayed open")
        } catch is TLSFailure {} catch is PlainSocket.Ended {}
    }
}
