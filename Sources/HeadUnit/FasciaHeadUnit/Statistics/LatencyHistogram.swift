/// Times of the same thing, and their percentiles. The newest samples are kept.
struct LatencyHistogram {
    static let capacity = 8_192

    struct Summary: Encodable {
        var count: Int
        var p50: Double
        var p90: Double
        var p99: Double
        var max: Double
    }

    private var samples: [Double] = []
    private var next = 0
    private(set) var count = 0

    mutating func record(_ value: Double) {
        count += 1
        if samples.count < Self.capacity {
            samples.append(value)
        } else {
            samples[next] = value
            next = (next + 1) % Self.capacity
        }
    }

    /// Nil while nothing was recorded. Percentiles by nearest rank, three decimals.
    var summary: Summary? {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        func rank(_ fraction: Double) -> Double {
            let index = Int((fraction * Double(sorted.count)).rounded(.up)) - 1
            return (sorted[Swift.max(0, Swift.min(sorted.count - 1, index))] * 1_000).rounded() / 1_000
        }
        return Summary(count: count, p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: rank(1))
    }
}
