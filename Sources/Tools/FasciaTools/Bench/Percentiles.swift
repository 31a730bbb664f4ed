/// Milliseconds at the usual percentiles, exact (nearest rank), of at most some thousands of samples.
struct Percentiles: Codable, Equatable {
    let p50, p90, p99, max: Double

    /// - Parameter nanoseconds: not empty.
    init?(nanoseconds: [UInt64]) {
        guard !nanoseconds.isEmpty else { return nil }
        let sorted = nanoseconds.sorted()
        func rank(_ part: Double) -> Double {
            let index = Int((part * Double(sorted.count)).rounded(.up)) - 1
            return Self.milliseconds(sorted[Swift.min(Swift.max(index, 0), sorted.count - 1)])
        }
        (p50, p90, p99, max) = (rank(0.5), rank(0.9), rank(0.99), rank(1))
    }

    /// To the microsecond.
    static func milliseconds(_ nanoseconds: UInt64) -> Double { (Double(nanoseconds) / 1000).rounded() / 1000 }

    var cells: [String] { [p50, p90, p99, max].map { "\($0)" } }
}
