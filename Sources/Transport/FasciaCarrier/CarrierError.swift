import FasciaLink
import FasciaPairing
import FasciaTLS
import FasciaTrust

/// Why a connection or a pairing did not come about. `description` says in plain language what happened and what to do.
/// New codes may be added: compare with the static ones.
public struct CarrierError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ name: String) { description = name }

        // Before TCP is connected
        /// The host name has no address.
        public static let unknownHost = Code("unknown-host")
        /// Nobody listens there.
        public static let refused = Code("refused")
        /// No answer in time.
        public static let unreachable = Code("unreachable")
        /// Listening: another program has the port.
        public static let portInUse = Code("port-in-use")
        /// Listening: the address is not one of this machine, or may not be used.
        public static let addressUnavailable = Code("address-unavailable")

        // TLS
        /// The peer does not speak TLS 1.3 with a Fascia protocol; `tls` has the details.
        public static let notFascia = Code("not-fascia")
        /// One of the two ends does not trust the other.
        public static let notPaired = Code("not-paired")
        /// TLS did not get further in time.
        public static let handshakeTimeout = Code("handshake-timeout")
        /// The connection was lost before it was ready.
        public static let connectionLost = Code("connection-lost")

        // Link
        /// The peer (or this end) closed the link before it was ready; `closure` says why.
        public static let closed = Code("closed")
        /// The head unit serves or pairs another phone; it may be free later.
        public static let busy = Code("busy")

        // Pairing
        /// The code was wrong.
        public static let wrongCode = Code("wrong-code")
        /// Too many wrong codes: pairing is locked for some time.
        public static let pairingLocked = Code("pairing-locked")
        /// The peer broke the pairing protocol.
        public static let pairingFailed = Code("pairing-failed")
        /// This head unit does not pair now.
        public static let pairingUnavailable = Code("pairing-unavailable")

        // This end
        /// Identity or trust store cannot be used.
        public static let state = Code("state")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// Something that must always work did not.
        public static let internalError = Code("internal")
    }

    /// Whose act led to the error.
    public enum Initiator: Sendable, Equatable { case user, local, remote, network }

    public let code: Code
    public let initiator: Initiator
    public let description: String
    /// The error underneath, if there is one.
    public let cause: (any Error)?
    /// How the link ended, for `closed`.
    public let closure: LinkClosure?

    public init(_ code: Code, _ initiator: Initiator, _ description: String, cause: (any Error)? = nil, closure: LinkClosure? = nil) {
        self.code = code
        self.initiator = initiator
        self.description = description
        self.cause = cause
        self.closure = closure
    }
}

extension CarrierError {
    static func tls(_ error: TLSError) -> CarrierError {
        let code: Code = switch error.code {
        case .untrustedPeer, .refusedByPeer: .notPaired
        case .handshakeTimeout: .handshakeTimeout
        case .closedDuringHandshake: .connectionLost
        case .libraryFailed, .identityUnusable: .internalError
        default: .notFascia
        }
        let initiator: Initiator = error.initiator == .remote ? .remote : .local
        return CarrierError(code, initiator, error.description, cause: error)
    }

    static func pairing(_ error: PairingError) -> CarrierError {
        let code: Code = switch error.code {
        case .wrongCode: .wrongCode
        case .locked: .pairingLocked
        case .libraryFailed: .internalError
        default: .pairingFailed
        }
        let initiator: Initiator = switch error.initiator {
        case .user: .user
        case .remote: .remote
        case .library: .local
        }
        return CarrierError(code, initiator, error.description, cause: error)
    }

    static func state(_ error: StateError) -> CarrierError { CarrierError(.state, .local, error.description, cause: error) }

    static func closed(_ closure: LinkClosure) -> CarrierError {
        let detail = closure.detail.isEmpty ? "" : ": \(closure.detail)"
        switch closure.code {
        case .wrongCode:
            return CarrierError(.wrongCode, .user, "the code is wrong; try again with the one the head unit shows now", closure: closure)
        case .pairingLocked:
            return CarrierError(.pairingLocked, .remote, "the head unit has locked pairing\(detail)", closure: closure)
        case .busy:
            return CarrierError(.busy, .remote, "the head unit is busy\(detail)", closure: closure)
        case .pairingClosed:
            return CarrierError(.pairingUnavailable, .remote, "the head unit does not pair now\(detail)", closure: closure)
        default:
            let (initiator, who): (Initiator, String) = switch closure.initiator {
            case .local: (.local, "this end closed the link")
            case .remote: (.remote, "the peer closed the link")
            case .transport: (.network, "the connection was lost")
            }
            let code: Code = closure.code == .transportLost ? .connectionLost : .closed
            return CarrierError(code, initiator, "\(who) (\(closure.code))\(detail)", closure: closure)
        }
    }
}
