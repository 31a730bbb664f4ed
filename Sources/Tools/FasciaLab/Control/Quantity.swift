import Foundation

/// Quantities as people write them: `300ms`, `1.5s`, `200us`, `10mbit`, `2` (per cent).
public enum Quantity {
    /// Nanoseconds; nil unless it is a number with `ns`, `us`, `ms`, `s`, `min`, at most a day.
    public static func duration(_ text: some StringProtocol) -> UInt64? {
        number(text, units: [("ns", 1), ("us", 1e3), ("ms", 1e6), ("min", 60e9), ("s", 1e9)], limit: 86_400e9)
    }

    /// Bits per second; nil unless it is a number with `bit`, `kbit`, `mbit` or `gbit`, above zero.
    public static func rate(_ text: some StringProtocol) -> UInt64? {
        number(text, units: [("kbit", 1e3), ("mbit", 1e6), ("gbit", 1e9), ("bit", 1)], limit: 1e12).flatMap { $0 > 0 ? $0 : nil }
    }

    /// `200ms..460ms`, or one duration for both.
    public static func durations(_ text: some StringProtocol) -> ClosedRange<UInt64>? {
        let text = String(text)
        guard let dots = text.range(of: "..") else { return duration(text).map { $0...$0 } }
        guard let low = duration(text[..<dots.lowerBound]), let high = duration(text[dots.upperBound...]), low <= high else { return nil }
        return low...high
    }

    /// 0...1 of a per cent figure, with or without the sign.
    public static func percent(_ text: some StringProtocol) -> Double? {
        Double(text.hasSuffix("%") ? String(text.dropLast()) : String(text)).flatMap { (0...100).contains($0) ? $0 / 100 : nil }
    }

    private static func number(_ text: some StringProtocol, units: [(String, Double)], limit: Double) -> UInt64? {
        for (unit, factor) in units where text.hasSuffix(unit) {
            guard let value = Double(String(text.dropLast(unit.count))), value >= 0, value * factor <= limit else { return nil }
            return UInt64((value * factor).rounded())
        }
        return nil
    }
}
