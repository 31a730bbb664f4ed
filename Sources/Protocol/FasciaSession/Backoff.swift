import FasciaLink

/// Waits between attempts to reach a peer: none before the first, then longer and longer. Half of each wait is jitter, so that two
/// ends which failed together do not keep meeting.
public struct Backoff: Sendable, Equatable {
    /// Longest wait before the second attempt, nanoseconds.
    public let first: UInt64
    /// Longest wait of all, nanoseconds.
    public let longest: UInt64
    private var base: UInt64 = 0

    /// - Parameters:
    ///   - first: nanoseconds; doubled with each attempt.
    ///   - longest: nanoseconds.
    public init(first: UInt64 = 50_000_000, longest: UInt64 = 2_000_000_000) {
        self.first = max(1, first)
        self.longest = max(self.first, longest)
    }

    /// How long to wait before the next attempt, nanoseconds: 0, then between half and the whole of a doubling time.
    public mutating func next(_ generator: inout SeededGenerator) -> UInt64 {
        let base = base
        self.base = base == 0 ? first : min(base.multipliedReportingOverflow(by: 2).partialValue, longest)
        return base == 0 ? 0 : base / 2 + UInt64.random(in: 0...(base - base / 2), using: &generator)
    }

    /// The next attempt waits for nothing.
    public var isReset: Bool { base == 0 }

    /// The peer has shown that it is worth an attempt at once.
    public mutating func reset() { base = 0 }
}
