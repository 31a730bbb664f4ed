import FasciaLink

/// The way between phone and car.
struct SimulatedNetwork {
    /// One way, nanoseconds.
    var latency: UInt64 = 2_000_000
    /// Added at random, nanoseconds.
    var jitter: UInt64 = 0
    /// Of a thousand segments.
    var lossPermille = 0
    /// Until when nothing passes.
    var silentUntil: UInt64 = 0

    func isUp(_ now: UInt64) -> Bool { now >= silentUntil }

    /// Whether a segment sent now gets through.
    func passes(_ now: UInt64, _ random: inout SeededGenerator) -> Bool {
        isUp(now) && (lossPermille == 0 || Int.random(in: 0..<1000, using: &random) >= lossPermille)
    }

    /// How long a segment takes, nanoseconds.
    func time(_ random: inout SeededGenerator) -> UInt64 { latency + (jitter == 0 ? 0 : UInt64.random(in: 0...jitter, using: &random)) }
}
