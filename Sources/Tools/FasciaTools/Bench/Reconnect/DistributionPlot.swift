import Foundation

/// Two histograms under each other on one time axis: link back to frame, and the floor. SVG, dark on light.
struct DistributionPlot {
    private static let width = 860.0, left = 64.0, right = 24.0, top = 64.0, panel = 150.0, gap = 68.0, bottom = 52.0
    private static let bins = 120

    private struct Series {
        let name: String
        let color: String
        /// Milliseconds.
        let samples: [Double]
        let percentiles: Percentiles
    }

    private let title: String
    private let series: [Series]
    /// End of the axis, milliseconds: all but the last percent of the samples, with room.
    private let end: Double

    init(_ result: ReconnectResult) {
        let report = result.report
        func series(_ name: String, _ color: String, _ samples: [UInt64]) -> Series? {
            Percentiles(nanoseconds: samples).map { Series(name: name, color: color, samples: samples.map { Double($0) / 1e6 }, percentiles: $0) }
        }
        let frame = report.fault == .cut ? "next frame" : "first frame"
        self.series = [series("Link back to \(frame) presented", "#1f6f8b", result.firstFrames),
                       series("Floor: minimal OpenSSL, \(report.mode.rawValue)", "#8a6d3b", result.floors)].compactMap { $0 }
        let path = report.rttMilliseconds > 0 ? ", RTT \(Self.number(report.rttMilliseconds)) ms" + (report.lossPercent > 0 ? ", loss \(Self.number(report.lossPercent)) %" : "") : ""
        title = "fascia bench reconnect: \(report.fault.rawValue)\(report.cut.map { " of \(Self.number($0)) s" } ?? ""), \(report.mode.rawValue)\(path), \(report.runs) runs"
        end = max((self.series.map(\.percentiles.p99).max() ?? 1) * 1.15, 0.001)
    }

    var svg: String {
        let height = Self.top + Double(series.count) * (Self.panel + Self.gap) - Self.gap + Self.bottom
        var parts = ["""
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(Self.width))" height="\(Self.number(height))" viewBox="0 0 \(Self.number(Self.width)) \(Self.number(height))" font-family="sans-serif" font-size="12" fill="#222">
            <rect width="100%" height="100%" fill="#fff"/>
            <text x="\(Self.number(Self.left))" y="26" font-size="15" font-weight="bold">\(Self.escaped(title))</text>
            """]
        for (index, series) in series.enumerated() { parts += panel(series, top: Self.top + Double(index) * (Self.panel + Self.gap)) }
        parts.append("<text x=\"\(Self.number((Self.left + Self.width - Self.right) / 2))\" y=\"\(Self.number(height - 12))\" text-anchor=\"middle\">milliseconds</text>")
        parts.append("</svg>\n")
        return parts.joined(separator: "\n")
    }

    private func panel(_ series: Series, top: Double) -> [String] {
        let base = top + Self.panel
        var counts = [Int](repeating: 0, count: Self.bins)
        for sample in series.samples where sample < end { counts[min(Int(sample / end * Double(Self.bins)), Self.bins - 1)] += 1 }
        let tallest = max(counts.max() ?? 1, 1)
        let beyond = series.samples.count { $0 >= end }
        let summary = "\(series.name): p50 \(Self.number(series.percentiles.p50)), p99 \(Self.number(series.percentiles.p99)), max \(Self.number(series.percentiles.max)) ms"
        var parts = ["<text x=\"\(Self.number(Self.left))\" y=\"\(Self.number(top - 18))\">\(Self.escaped(summary))\(beyond > 0 ? " (\(beyond) beyond the axis)" : "")</text>"]
        let unit = (x(end) - x(0)) / Double(Self.bins)
        for (bin, count) in counts.enumerated() where count > 0 {
            let tall = Double(count) / Double(tallest) * (Self.panel - 14)
            parts.append("<rect x=\"\(Self.number(x(0) + Double(bin) * unit))\" y=\"\(Self.number(base - tall))\" width=\"\(Self.number(max(unit - 0.6, 0.6)))\" height=\"\(Self.number(tall))\" fill=\"\(series.color)\"/>")
        }
        parts.append("<path d=\"M\(Self.number(x(0))) \(Self.number(top)) V\(Self.number(base)) H\(Self.number(x(end)))\" fill=\"none\" stroke=\"#222\"/>")
        parts.append("<text x=\"\(Self.number(Self.left - 8))\" y=\"\(Self.number(base - (Self.panel - 14) + 4))\" text-anchor=\"end\">\(tallest)</text>")
        parts.append("<text transform=\"translate(\(Self.number(Self.left - 40)) \(Self.number(base - Self.panel / 2))) rotate(-90)\" text-anchor=\"middle\">runs</text>")
        for tick in Self.ticks(to: end) {
            parts.append("<path d=\"M\(Self.number(x(tick))) \(Self.number(base)) v5\" stroke=\"#222\"/>")
            parts.append("<text x=\"\(Self.number(x(tick)))\" y=\"\(Self.number(base + 18))\" text-anchor=\"middle\">\(Self.number(tick))</text>")
        }
        parts += marks(series, top: top, base: base)
        return parts
    }

    /// Dashed lines at the percentiles; labels that would overlap share a line.
    private func marks(_ series: Series, top: Double, base: Double) -> [String] {
        var parts: [String] = [], labels: [(x: Double, text: String)] = []
        for (name, value) in [("p50", series.percentiles.p50), ("p90", series.percentiles.p90), ("p99", series.percentiles.p99)] where value < end {
            parts.append("<path d=\"M\(Self.number(x(value))) \(Self.number(top)) V\(Self.number(base))\" stroke=\"#b02a2a\" stroke-dasharray=\"4 3\"/>")
            if let last = labels.last, x(value) - last.x < 30 { labels[labels.count - 1].text += " " + name } else { labels.append((x(value), name)) }
        }
        return parts + labels.map { "<text x=\"\(Self.number($0.x + 3))\" y=\"\(Self.number(top + 2))\" fill=\"#b02a2a\" font-size=\"11\">\($0.text)</text>" }
    }

    private func x(_ milliseconds: Double) -> Double { Self.left + milliseconds / end * (Self.width - Self.left - Self.right) }

    /// Round numbers from 0, five to ten of them.
    static func ticks(to end: Double) -> [Double] {
        let power = pow(10, floor(log10(end / 5)))
        let step = [1.0, 2, 5, 10].map { $0 * power }.first { end / $0 <= 10 } ?? end
        return (0...Int(end / step)).map { Double($0) * step }
    }

    /// At most three decimals.
    static func number(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
