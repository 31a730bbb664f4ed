import FasciaScene

/// Where the car will go: its width on the ground, red close by, then amber, then green.
struct ReverseGuides {
    let width: Int
    let height: Int

    /// From the car's centre to its side and the lines' own half width, metres.
    private static let side: Float = 0.98
    private static let half: Float = 0.028
    /// Up to which distance each colour goes, metres, with a bar across at its end.
    private static let zones: [(end: Float, red: Float, green: Float, blue: Float)] = [(1.35, 1, 0.27, 0.23), (2.2, 1, 0.78, 0.18), (3.6, 0.28, 0.85, 0.45)]

    func image() -> RasterImage? {
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        let view = ReverseView(width: width, height: height)
        let start = Float(height) * 0.965
        for row in 0..<height where Float(row) < start {
            guard let depth = view.depth(row: Float(row) + 0.5), let zone = Self.zones.first(where: { depth < $0.end }) else { continue }
            let perMetre = view.focus / depth, middle = Float(width) / 2
            let reach = Self.side * perMetre, half = max(1.1, Self.half * perMetre)
            for sign in [-1, 1] as [Float] { line(row, middle + sign * reach, half, zone, &pixels) }
        }
        for zone in Self.zones {
            // Bars have a thickness on the ground, and reach a little inwards only where they need not close the lane.
            let thickness = max(2, Self.half * 2 * view.focus / zone.end)
            let top = view.bottom(of: zone.end), perMetre = view.focus / zone.end, middle = Float(width) / 2
            let isFirst = zone.end == Self.zones[0].end
            for row in max(0, Int(top))..<min(height, Int(top + thickness + 1)) {
                let coverage = min(1, min(Float(row) + 1 - top, top + thickness - Float(row)))
                if isFirst {
                    span(row, middle - Self.side * perMetre, middle + Self.side * perMetre, coverage, zone, &pixels)
                } else {
                    for sign in [-1, 1] as [Float] {
                        let outer = middle + sign * Self.side * perMetre, inner = outer - sign * 0.34 * perMetre
                        span(row, min(outer, inner), max(outer, inner), coverage, zone, &pixels)
                    }
                }
            }
        }
        return RasterImage(format: .bgra8, width: width, height: height, pixels: pixels)
    }

    private func line(_ row: Int, _ centre: Float, _ half: Float, _ zone: (end: Float, red: Float, green: Float, blue: Float), _ pixels: inout [UInt8]) {
        span(row, centre - half, centre + half, 1, zone, &pixels)
    }

    /// Covers a row from one place to another, with soft ends.
    private func span(_ row: Int, _ from: Float, _ to: Float, _ coverage: Float, _ zone: (end: Float, red: Float, green: Float, blue: Float), _ pixels: inout [UInt8]) {
        let first = max(0, Int(from.rounded(.down))), last = min(width, Int(to.rounded(.up)))
        guard first < last, coverage > 0 else { return }
        for column in first..<last {
            let part = max(0, min(1, min(Float(column) + 1 - from, to - Float(column)))) * coverage * 0.95
            let index = (row * width + column) * 4
            guard UInt8(part * 255) > pixels[index + 3] else { continue }
            (pixels[index], pixels[index + 1], pixels[index + 2], pixels[index + 3]) =
                (UInt8(zone.blue * part * 255), UInt8(zone.green * part * 255), UInt8(zone.red * part * 255), UInt8(part * 255))
        }
    }
}
