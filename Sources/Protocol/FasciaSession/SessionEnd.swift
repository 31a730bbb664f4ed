import FasciaLink
import FasciaWire

/// Why a session is over, for both ends' events and for people.
public struct SessionEnd: Equatable, Sendable {
    public enum Reason: Hashable, Sendable, CustomStringConvertible {
        /// The connection was closed with a code that ends the session.
        case closed(CloseCode)
        /// The peer did not come back within the grace time.
        case graceOver
        /// The peer knows nothing of the session and began another one.
        case replaced
        /// The peer has given the session up for somebody else.
        case refused(CloseCode)
        /// The user took the peer's key away.
        case forgotten
        /// This process ends.
        case stopped

        public var description: String {
            switch self {
            case .closed(let code), .refused(let code): code.description
            case .graceOver: "grace-over"
            case .replaced: "replaced"
            case .forgotten: "forgotten"
            case .stopped: "stopped"
            }
        }
    }

    public let reason: Reason
    /// For people, may be empty.
    public let detail: String
    /// What decided, then what else was seen.
    public let evidence: [Evidence]

    public init(_ reason: Reason, detail: String = "", evidence: [Evidence] = []) {
        self.reason = reason
        self.detail = detail
        self.evidence = evidence
    }

    /// What decided, in a word: the kind of evidence where a path failed, else the reason.
    public var cause: String {
        if case .closed(let code) = reason, code.sessionFate == .kept, let evidence = evidence.first { return evidence.kind.rawValue }
        return reason.description
    }

    /// What is known about the end, in words; never empty.
    public var evidenceNames: [String] {
        guard evidence.isEmpty else { return evidence.map(\.description) }
        return switch reason {
        case .replaced: ["peer"]
        case .refused: ["refusal"]
        case .graceOver: ["time"]
        case .closed, .forgotten, .stopped: ["local"]
        }
    }

    init(_ closure: LinkClosure) { self.init(.closed(closure.code), detail: closure.detail, evidence: closure.evidence) }
}
