import Histogram

/// Milliseconds at the usual percentiles, to three significant digits (HdrHistogram, nearest rank).
struct Percentiles: Codable, Equatable {
    let p50, p90, p99, max: Double

    init?(_ histogram: Histogram<UInt64>) {
        guard histogram.totalCount > 0 else { return nil }
        func at(_ percentile: Double) -> Double { Self.milliseconds(histogram.valueAtPercentile(percentile)) }
        (p50, p90, p99, max) = (at(50), at(90), at(99), at(100))
    }

    /// - Parameter nanoseconds: not empty.
    init?(nanoseconds: [UInt64]) { self.init(Histogram(nanoseconds: nanoseconds)) }

    /// To the microsecond.
    static func milliseconds(_ nanoseconds: UInt64) -> Double { (Double(nanoseconds) / 1000).rounded() / 1000 }

    var cells: [String] { [p50, p90, p99, max].map { "\($0)" } }
}

extension Histogram where Count == UInt64 {
    /// Nanoseconds of any size, three significant digits.
    init(nanoseconds: [UInt64]) {
        self.init(numberOfSignificantValueDigits: .three)
        for sample in nanoseconds { record(sample) }
    }
}
