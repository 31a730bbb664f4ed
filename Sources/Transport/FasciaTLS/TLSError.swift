/// Why a TLS connection could not be made or ended. New codes may be added: compare with the static ones.
public struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ name: String) { description = name }

        /// The first bytes from the peer are no TLS record.
        public static let notTLS = Code("not-tls")
        /// The peer speaks TLS 1.2 or older only.
        public static let versionUnsupported = Code("tls-version")
        /// The peer's key is not pinned here.
        public static let untrustedPeer = Code("untrusted-peer")
        /// The peer does not (or no longer) accept this side's key.
        public static let refusedByPeer = Code("refused-by-peer")
        /// The peer offers none of the application protocols known here.
        public static let applicationProtocol = Code("application-protocol")
        /// The peer sent no certificate.
        public static let certificateMissing = Code("certificate-missing")
        /// The connection ended before the handshake did.
        public static let closedDuringHandshake = Code("closed-during-handshake")
        /// The handshake was not finished in time.
        public static let handshakeTimeout = Code("handshake-timeout")
        /// The peer broke the TLS protocol or its bytes were altered on the way.
        public static let protocolViolation = Code("tls-protocol")
        /// An alert of the peer that has no code of its own here.
        public static let alert = Code("tls-alert")
        /// The identity's key or certificate cannot be used.
        public static let identityUnusable = Code("identity")
        /// OpenSSL could not do what must always be possible (memory, random numbers).
        public static let libraryFailed = Code("openssl")
    }

    /// Whose act led to the error.
    public enum Initiator: Sendable, Equatable { case local, remote, library }

    public let code: Code
    public let initiator: Initiator
    /// Plain language: what happened and, where the user can, what to do.
    public let detail: String
    /// OpenSSL's own words, empty when it said nothing.
    public let cause: String
    /// The key the error is about, for `untrustedPeer`.
    public let peer: Fingerprint?

    public init(_ code: Code, _ initiator: Initiator, _ detail: String, cause: String = "", peer: Fingerprint? = nil) {
        self.code = code
        self.initiator = initiator
        self.detail = detail
        self.cause = cause
        self.peer = peer
    }

    public var description: String { cause.isEmpty ? detail : "\(detail) (\(cause))" }
}
