/// How many lines of an app's reach the phone's log: a burst at once, then so many a second. An app that prints without end
/// fills no disk.
struct LineBudget {
    enum Verdict: Equatable {
        case pass
        /// The line goes; before it, say that so many were left out.
        case passAfter(leftOut: Int)
        case drop
    }

    /// Lines that may come at once.
    static let burst = 1_000
    /// Lines a second in the long run.
    static let perSecond = 100

    private var left = Self.burst
    private var refilled: UInt64?
    private var dropped = 0

    /// - Parameter now: CLOCK_MONOTONIC, nanoseconds.
    mutating func next(now: UInt64) -> Verdict {
        let last = refilled ?? now
        let earned = Int(clamping: (now > last ? now - last : 0) / (1_000_000_000 / UInt64(Self.perSecond)))
        if earned > 0 || refilled == nil {
            left = min(Self.burst, left + min(earned, Self.burst))
            refilled = now
        }
        guard left > 0 else {
            dropped += 1
            return .drop
        }
        left -= 1
        defer { dropped = 0 }
        return dropped > 0 ? .passAfter(leftOut: dropped) : .pass
    }

    /// Lines dropped and not told of yet.
    var untold: Int { dropped }
}
