import FasciaTLS

/// A step of connecting, with the time it was reached (nanoseconds of CLOCK_MONOTONIC).
public struct ConnectPhase: Sendable, Hashable {
    /// In the order they are reached.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The TCP connection stands; with TCP Fast Open it may be still on its way.
        case tcp
        /// The TLS handshake is done, or, at a head unit, early data of a known phone was accepted.
        case secured
        /// Hello and Welcome have been exchanged.
        case negotiated
    }

    /// What was reached.
    public let kind: Kind
    /// When: nanoseconds of CLOCK_MONOTONIC.
    public let at: UInt64
    /// From `secured` on: whether a session ticket shortened the handshake.
    public let isResumed: Bool
    /// From `secured` on: what became of the data sent before the handshake.
    public let earlyData: TLSEarlyData
    /// Of the peer.
    public let address: CarrierAddress

    init(kind: Kind, at: UInt64, isResumed: Bool = false, earlyData: TLSEarlyData = .none, address: CarrierAddress) {
        self.kind = kind
        self.at = at
        self.isResumed = isResumed
        self.earlyData = earlyData
        self.address = address
    }
}
