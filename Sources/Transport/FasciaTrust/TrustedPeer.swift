import FasciaTLS
import Glibc

/// A paired peer, as kept in the trust store.
public struct TrustedPeer: Sendable, Hashable {
    /// The human name it gave itself at pairing.
    public var name: String
    /// Of its key: what makes it this peer.
    public let fingerprint: Fingerprint
    /// `host:port` (IPv6 in brackets) where it was reached last; `nil` before the first connection.
    public var lastAddress: String?
    /// Seconds since 1970-01-01 UTC.
    public var pairedAt: Int64

    /// - Parameter pairedAt: now, unless said otherwise.
    public init(name: String, fingerprint: Fingerprint, lastAddress: String? = nil, pairedAt: Int64 = Int64(time(nil))) {
        self.name = name
        self.fingerprint = fingerprint
        self.lastAddress = lastAddress
        self.pairedAt = pairedAt
    }
}
