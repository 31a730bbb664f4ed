/// The smallest of the values of the last two seconds.
struct RecentMinimum {
    private static let span: UInt64 = 250_000_000 // nanoseconds of a bucket

    private var buckets: InlineArray<8, Int64> = .init(repeating: .max)
    private var index = 0
    private var since: UInt64?
    /// Nil before the first.
    private(set) var value: Int64?

    /// - Parameter now: nanoseconds, not going back.
    mutating func add(_ new: Int64, at now: UInt64) {
        let begin = since ?? now
        let passed = now > begin ? (now - begin) / Self.span : 0
        since = begin + passed * Self.span
        for _ in 0..<min(passed, UInt64(buckets.count)) {
            index = (index + 1) % buckets.count
            buckets[index] = .max
        }
        buckets[index] = min(buckets[index], new)
        if passed == 0, let value { self.value = min(value, new) } else { value = smallest }
    }

    mutating func forget() { self = RecentMinimum() }

    private var smallest: Int64 {
        var smallest = Int64.max
        for index in buckets.indices { smallest = min(smallest, buckets[index]) }
        return smallest
    }
}
