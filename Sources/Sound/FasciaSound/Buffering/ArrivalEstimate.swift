/// How regularly packets come, from when each arrived and how much sound came before it. Times in nanoseconds.
///
/// The packet that was fastest in the last two seconds says where the sender is; how much later than that others came is the jitter. The
/// jitter that counts is the second largest of the last sixteen seconds': one stall is no reason to play everything later, a second is.
struct ArrivalEstimate {
    /// What a buffer of 250 ms cannot bridge is a stall and no jitter.
    static let largestJitter: Int64 = 150_000_000
    /// Silence after which the network may have become another.
    static let pause: Int64 = 1_000_000_000

    private static let jitterSpan: UInt64 = 1_000_000_000

    private var base = RecentMinimum()
    private var peaks = [Int64](repeating: 0, count: 16)
    private var peakIndex = 0
    private var peakSince: UInt64 = 0
    private var lastArrival: UInt64?
    private(set) var jitter: Int64 = 0

    /// - Parameter offset: arrival less the time of the sound before the end of the packet.
    mutating func arrived(offset: Int64, at now: UInt64) {
        if let lastArrival, now > lastArrival, now - lastArrival > UInt64(Self.pause) { base.forget() }
        if lastArrival == nil { peakSince = now }
        lastArrival = now
        turn(to: now)
        base.add(offset, at: now)
        let late = offset - (base.value ?? offset)
        guard late <= Self.largestJitter, late > peaks[peakIndex] else { return }
        peaks[peakIndex] = late
        judge()
    }

    private mutating func turn(to now: UInt64) {
        guard now > peakSince else { return }
        let passed = (now - peakSince) / Self.jitterSpan
        guard passed > 0 else { return }
        peakSince += passed * Self.jitterSpan
        for _ in 0..<min(passed, UInt64(peaks.count)) {
            peakIndex = (peakIndex + 1) % peaks.count
            peaks[peakIndex] = 0
        }
        judge()
    }

    private mutating func judge() {
        var (largest, second): (Int64, Int64) = (0, 0)
        for peak in peaks {
            if peak > largest { (largest, second) = (peak, largest) } else { second = max(second, peak) }
        }
        jitter = second
    }
}
