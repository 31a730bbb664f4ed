/// What this end knows of the peer's monotonic clock (spec/link.md 8.9), from the answers to its probes.
///
/// Nothing here trusts the peer: all sums wrap, so that absurd clocks give absurd times and nothing worse.
public struct ClockEstimate: Hashable, Sendable {
    /// The peer's clock minus this end's at `at`, in nanoseconds, modulo 2^64.
    public let offset: Int64
    /// When, by this end's clock.
    public let at: LinkInstant
    /// How much the peer's clock gains on this end's, in parts per million; 0 until it has been watched for long enough.
    public let drift: Double
    /// Of the probe that `offset` comes from, in nanoseconds: the offset is wrong by half of it at most.
    public let roundTrip: UInt64

    /// Largest drift believed, in parts per million; quartz is within a tenth of it.
    public static let maximumDrift = 1_000.0

    /// - Parameter drift: parts per million; brought within `maximumDrift`, and 0 when it is not a number.
    public init(offset: Int64, at: LinkInstant, drift: Double = 0, roundTrip: UInt64 = 0) {
        self.offset = offset
        self.at = at
        self.drift = drift.isNaN ? 0 : min(max(drift, -Self.maximumDrift), Self.maximumDrift)
        self.roundTrip = roundTrip
    }

    /// The peer's clock when this end's says `local`.
    public func peerTime(_ local: LinkInstant) -> UInt64 {
        local &+ UInt64(bitPattern: offset(at: local))
    }

    /// This end's clock when the peer's says `peer`.
    public func localTime(_ peer: UInt64) -> LinkInstant {
        let undrifted = peer &- UInt64(bitPattern: offset)
        return peer &- UInt64(bitPattern: offset(at: undrifted)) // the rest is drift squared: nothing
    }

    /// The offset at another time, drift counted.
    func offset(at local: LinkInstant) -> Int64 {
        let elapsed = Double(Int64(bitPattern: local &- at)) // at most 2^63, of which the drift is a thousandth
        return offset &+ Int64(elapsed * drift / 1_000_000)
    }
}
