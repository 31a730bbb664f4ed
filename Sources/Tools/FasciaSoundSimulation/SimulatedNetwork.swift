import FasciaLink

/// A way for packets in order, in virtual time: delay, jitter, loss, and stalls after which everything held up comes at once, as over
/// TCP. Nanoseconds.
public struct SimulatedNetwork: Sendable {
    /// Begins and lengths, in order.
    public var stalls: [(at: UInt64, length: UInt64)] = []
    public var delay: UInt64 = 1_000_000
    /// Largest random addition to the delay.
    public var jitter: UInt64 = 0
    /// Part of the packets that never come.
    public var loss = 0.0

    public init() {}

    /// `count` stalls of a random length, one in each `every`.
    public static func stalls(_ count: Int, every: UInt64, lengths: ClosedRange<UInt64>, seed: UInt64) -> [(at: UInt64, length: UInt64)] {
        var chance = SeededGenerator(seed: seed)
        return (1...max(1, count)).map { (UInt64($0) * every + UInt64.random(in: 0..<1_000_000_000, using: &chance), .random(in: lengths, using: &chance)) }
    }

    /// When a packet arrives that was sent at `time`, if no other came before it; nil: never.
    func arrival(sent time: UInt64, using chance: inout SeededGenerator) -> UInt64? {
        if loss > 0, Double.random(in: 0..<1, using: &chance) < loss { return nil }
        var arrival = time + delay + (jitter > 0 ? UInt64.random(in: 0...jitter, using: &chance) : 0)
        for stall in stalls where (stall.at..<stall.at + stall.length).contains(arrival) { arrival = stall.at + stall.length }
        return arrival
    }
}
