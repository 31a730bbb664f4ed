import FasciaWire

/// Something that says a link is ending or in doubt.
public struct Evidence: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The peer sent CLOSE.
        case goodbye
        /// The peer ended the TCP or TLS stream.
        case fin
        /// The connection was reset.
        case reset
        /// Another error of the transport.
        case transportError
        /// The transport gave up waiting for an acknowledgement (TCP_USER_TIMEOUT).
        case userTimeout
        /// A probe's answer is overdue by what is usual on this path.
        case lateAnswer
        /// No byte came for the suspect time.
        case silence
        /// No byte came for the dead time, though probes were sent.
        case probeTimeout
        /// The peer did not finish negotiation or pairing in time.
        case handshakeTimeout
        /// The peer broke the protocol.
        case violation
        /// A newer connection took the session over.
        case superseded
        /// The network interface lost its carrier.
        case carrierLost
        /// The peer withdrew its announcement.
        case mdnsGoodbye
        /// The car took its power away.
        case powerLost
        /// This end decided.
        case local
    }

    public let kind: Kind
    /// For people; empty when the kind says everything.
    public let detail: String
    public let at: LinkInstant

    public init(_ kind: Kind, _ detail: String = "", at: LinkInstant) {
        self.kind = kind
        self.detail = detail
        self.at = at
    }
}

extension Evidence: CustomStringConvertible {
    public var description: String { detail.isEmpty ? kind.rawValue : "\(kind.rawValue): \(detail)" }
}

/// How the transport under a link ended without CLOSE.
public enum TransportEnd: Hashable, Sendable {
    case fin
    case reset
    case timeout
    case error(String)

    func evidence(_ detail: String, at now: LinkInstant) -> Evidence {
        switch self {
        case .fin: Evidence(.fin, detail, at: now)
        case .reset: Evidence(.reset, detail, at: now)
        case .timeout: Evidence(.userTimeout, detail, at: now)
        case .error(let text): Evidence(.transportError, detail.isEmpty ? text : "\(text), \(detail)", at: now)
        }
    }
}

/// Why and by whom a connection ended.
public struct LinkClosure: Hashable, Sendable {
    public enum Initiator: String, Hashable, Sendable {
        /// This end: the application, or because the peer broke the protocol.
        case local
        /// The peer sent CLOSE.
        case remote
        /// Neither: the path between the ends failed.
        case transport
    }

    public let code: CloseCode
    public let initiator: Initiator
    /// For people: the CLOSE frame's detail, or what was wrong.
    public let detail: String
    /// The first is what decided; then, oldest first, what else was seen since the last byte was heard.
    public let evidence: [Evidence]

    public init(code: CloseCode, initiator: Initiator, detail: String, evidence: [Evidence]) {
        self.code = code
        self.initiator = initiator
        self.detail = detail
        self.evidence = evidence
    }
}
