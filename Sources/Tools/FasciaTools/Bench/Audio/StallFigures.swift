/// What stalls of a link did to a stream, simulated or real.
struct StallFigures: Encodable, Sendable {
    /// Of one stall, milliseconds.
    static let lengths = 200...460

    var stalls = 0
    /// One for each stall, and no other.
    var gaps = 0
    /// Of the simulated stream, whose samples are looked at.
    var clicks: Int?
    /// The most that ever waited, and the most more than two seconds after a stall.
    var maxBufferMS = 0.0
    var maxBufferCalmMS = 0.0
    /// From a stall's end until no more than 10 ms above the target waited.
    var slowestRecoveryMS = 0.0
    /// Of the real stream, and how many stalls it went on from over another connection.
    var targetMS: Double?
    var reconnected: Int?

    enum CodingKeys: String, CodingKey {
        case stalls, gaps, clicks, maxBufferMS = "max_buffer_ms", maxBufferCalmMS = "max_buffer_calm_ms", slowestRecoveryMS = "slowest_recovery_ms"
        case targetMS = "target_ms", reconnected
    }

    /// - Parameter what: stalls.
    func text(_ what: String) -> String {
        """
        \(stalls) \(what) of \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) ms: \(gaps) gaps, buffer at most \(maxBufferMS) ms, back at its target \
        within \(slowestRecoveryMS) ms, at most \(maxBufferCalmMS) ms from two seconds after
        """
    }
}
