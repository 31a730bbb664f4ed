import FasciaLink

extension SeededGenerator {
    /// One of many independent generators of a seed: cycle 7 draws the same numbers whether or not cycle 6 ran.
    public init(seed: UInt64, stream: UInt64) {
        var mixer = SeededGenerator(seed: seed ^ (stream &* 0xD134_2543_DE82_EF95))
        let one = mixer.next(), other = mixer.next()
        self.init(seed: one ^ other &* (stream | 1))
    }

    /// True in `percent` of 100 cases.
    public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// Between the bounds, small values as likely as large ones: each doubling has the same share.
    public mutating func logarithmic(_ range: ClosedRange<Int>) -> Int {
        var octaves: [Int] = []
        var edge = max(1, range.lowerBound)
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
