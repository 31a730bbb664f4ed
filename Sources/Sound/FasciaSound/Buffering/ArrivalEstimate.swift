/// How regularly packets come, from when each arrived and how much sound came before it. Times in nanoseconds.
///
/// The packet that was fastest in the last two seconds says where the sender is; how much later than that others came is the jitter. Late
/// packets in a row are one delay, as late as the latest. What counts is the second largest delay of the last sixteen seconds: one is
/// no reason to play everything later, a second is. A delay that no buffer could bridge is a stall and does not count.
struct ArrivalEstimate {
    /// More is a stall.
    static let largestJitter: Int64 = 150_000_000
    /// Silence after which the network may have become another.
    private static let pause: UInt64 = 1_000_000_000
    /// A packet as late as this is not late.
    private static let slight: Int64 = 5_000_000
    /// Delays longer than this count again.
    private static let longestDelay: UInt64 = 200_000_000
    private static let span: UInt64 = 1_000_000_000

    private var base = RecentMinimum()
    private var peaks: InlineArray<16, (Int64, Int64)> = .init(repeating: (0, 0)) // the two largest of a second
    private var index = 0
    private var since: UInt64 = 0
    private var lastArrival: UInt64?
    private var delay: Int64 = 0 // the one that goes on
    private var delaySince: UInt64 = 0
    private var stalled = false
    private(set) var jitter: Int64 = 0

    /// - Parameter offset: arrival less the time of the sound before the end of the packet.
    mutating func arrived(offset: Int64, at now: UInt64) {
        if let lastArrival, now > lastArrival, now - lastArrival > Self.pause { base.forget() }
        if lastArrival == nil { (since, delaySince) = (now, now) }
        lastArrival = now
        turn(to: now)
        base.add(offset, at: now)
        let late = offset - (base.value ?? offset)
        if late < Self.slight {
            endDelay(now)
            stalled = false
            count(late)
        } else if late > Self.largestJitter {
            stalled = true
            delay = 0
        } else if !stalled {
            delay = max(delay, late)
            if now > delaySince, now - delaySince > Self.longestDelay { endDelay(now) }
        }
    }

    private mutating func endDelay(_ now: UInt64) {
        if delay > 0 { count(delay) }
        delay = 0
        delaySince = now
    }

    private mutating func count(_ late: Int64) {
        if late > peaks[index].0 {
            peaks[index] = (late, peaks[index].0)
        } else if late > peaks[index].1 {
            peaks[index].1 = late
        } else {
            return
        }
        judge()
    }

    private mutating func turn(to now: UInt64) {
        guard now > since else { return }
        let passed = (now - since) / Self.span
        guard passed > 0 else { return }
        since += passed * Self.span
        for _ in 0..<min(passed, UInt64(peaks.count)) {
            index = (index + 1) % peaks.count
            peaks[index] = (0, 0)
        }
        judge()
    }

    private mutating func judge() {
        var (largest, second): (Int64, Int64) = (0, 0)
        for index in peaks.indices {
            let (one, other) = peaks[index]
            if one > largest { (largest, second) = (one, max(largest, other)) } else { second = max(second, one) }
        }
        jitter = second
    }
}
