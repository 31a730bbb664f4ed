/// A step of connecting, with the time it was reached (nanoseconds of CLOCK_MONOTONIC).
public struct ConnectPhase: Sendable, Hashable {
    /// In the order they are reached.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The TCP connection stands.
        case tcp
        /// The TLS handshake is done.
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
}
