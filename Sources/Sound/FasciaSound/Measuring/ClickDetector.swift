/// Finds clicks in a sound that has none of its own, such as a sine: samples that its smooth course does not foretell.
public struct ClickDetector: Sendable {
    private let threshold: Float
    private var past: (Float, Float, Float) = (0, 0, 0)
    private var seen = 0
    private var quiet = 0

    /// Clicks so far; what rings for 5 ms is one.
    public private(set) var clicks = 0
    /// The largest deviation so far, full scale 1.
    public private(set) var largest: Float = 0

    /// - Parameter threshold: deviation from the cubic through the three samples before, full scale 1.
    public init(threshold: Float) { self.threshold = threshold }

    /// - Parameter samples: of one channel.
    public mutating func add(_ samples: some Sequence<Float>) {
        for sample in samples {
            let foretold = 3 * past.2 - 3 * past.1 + past.0
            past = (past.1, past.2, sample)
            seen += 1
            guard seen > 3 else { continue }
            let deviation = abs(sample - foretold)
            largest = max(largest, deviation)
            quiet += 1
            guard deviation > threshold else { continue }
            if quiet > 240 { clicks += 1 }
            quiet = 0
        }
    }
}
