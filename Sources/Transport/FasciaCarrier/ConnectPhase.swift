/// A step of connecting, with the time it was reached (nanoseconds of CLOCK_MONOTONIC).
public struct ConnectPhase: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The TCP connection stands.
        case tcp
        /// The TLS handshake is done.
        case secured
        /// Hello and Welcome have been exchanged.
        case negotiated
    }

    public let kind: Kind
    public let at: UInt64
    /// From `secured` on: whether a session ticket shortened the handshake.
    public let isResumed: Bool
}
