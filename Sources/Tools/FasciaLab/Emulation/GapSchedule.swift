import FasciaLink

/// Times without a link, at random within bounds, the same for the same seed.
public struct GapPattern: Codable, Equatable, Sendable {
    /// Nanoseconds; how long a gap lasts.
    public var length: ClosedRange<UInt64>
    /// Nanoseconds of working link between two gaps, and before the first.
    public var interval: ClosedRange<UInt64>
    public var seed: UInt64

    public init(length: ClosedRange<UInt64>, interval: ClosedRange<UInt64>, seed: UInt64) {
        (self.length, self.interval, self.seed) = (length, interval, seed)
    }
}

/// Where in time the gaps of a pattern lie. Asked with times that do not go back further than the gap before.
struct GapSchedule {
    private let pattern: GapPattern
    private var random: SeededGenerator
    private(set) var gap: Range<UInt64>
    /// Gaps that are over.
    private(set) var passed: [Range<UInt64>] = []
    private var previous: Range<UInt64>

    init(_ pattern: GapPattern, from start: UInt64) {
        self.pattern = pattern
        random = SeededGenerator(seed: pattern.seed)
        gap = start..<start
        previous = gap
        gap = following()
    }

    mutating func covers(_ time: UInt64) -> Bool {
        while time >= gap.upperBound {
            passed.append(gap)
            previous = gap
            gap = following()
        }
        return gap.contains(time) || previous.contains(time)
    }

    mutating func takePassed() -> [Range<UInt64>] {
        defer { passed = [] }
        return passed
    }

    private mutating func following() -> Range<UInt64> {
        let start = gap.upperBound + UInt64.random(in: pattern.interval, using: &random)
        // At least a nanosecond: time has to go on.
        return start..<(start + max(1, UInt64.random(in: pattern.length, using: &random)))
    }
}
