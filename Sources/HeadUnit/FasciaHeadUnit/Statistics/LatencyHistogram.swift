import Histogram

/// Times (or sizes) of the same thing, and their percentiles: three decimals, three significant digits, memory that does not grow with the count.
struct LatencyHistogram {
    struct Summary: Encodable {
        var count: Int
        var p50: Double
        var p90: Double
        var p99: Double
        var max: Double
    }

    /// In thousandths.
    private var histogram = Histogram<UInt32>(numberOfSignificantValueDigits: .three)

    var count: Int { Int(histogram.totalCount) }

    /// What is not a number counts for nothing, what is negative as zero.
    mutating func record(_ value: Double) {
        guard !value.isNaN, let thousandths = UInt64(exactly: Swift.max(0, value * 1_000).rounded()), thousandths < 1 << 50 else { return }
        histogram.record(thousandths)
    }

    /// Nil while nothing was recorded. Percentiles by nearest rank.
    var summary: Summary? {
        guard histogram.totalCount > 0 else { return nil }
        func at(_ percentile: Double) -> Double { Double(histogram.valueAtPercentile(percentile)) / 1_000 }
        return Summary(count: count, p50: at(50), p90: at(90), p99: at(99), max: at(100))
    }
}
