/// SplitMix64 (Steele, Lea, Flood 2014): small, quick, and the same numbers from the same seed everywhere.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// One of many independent generators of a seed: cycle 7 draws the same numbers whether or not cycle 6 ran.
    public init(seed: UInt64, stream: UInt64) {
        var mixer = SeededGenerator(seed: seed ^ (stream &* 0xD134_2543_DE82_EF95))
        state = mixer.next() ^ mixer.next() &* (stream | 1)
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// True in `percent` of 100 cases.
    public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// Between the bounds, small values as likely as large ones: each doubling has the same share.
    public mutating func logarithmic(_ range: ClosedRange<Int>) -> Int {
        let low = max(1, range.lowerBound)
        var octaves: [Int] = []
        var edge = low
        while edge <= range.upperBound {
            octaves.append(edge)
            let (doubled, overflow) = edge.multipliedReportingOverflow(by: 2)
            if overflow { break }
            edge = doubled
        }
        guard let start = octaves.randomElement(using: &self) else { return range.upperBound }
        return Int.random(in: start...min(range.upperBound, start &* 2 - 1), using: &self)
    }
}
