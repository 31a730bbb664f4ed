/// The lines of a power hint: `charging` or `discharging`, each ended by a line feed; blanks around and case do not matter, empty
/// lines say nothing. Bounded: a longer line than any that means something is one unknown line.
package struct PowerHint {
    package enum Line: Equatable, Sendable {
        case charging, discharging
        /// What it said, cut and printable.
        case unknown(String)
    }

    package static let longestLine = 80
    private var line: [UInt8] = []
    private var isTooLong = false

    package init() {}

    package mutating func read(_ bytes: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if let meaning = end() { lines.append(meaning) }
            } else if line.count < Self.longestLine {
                line.append(byte)
            } else {
                isTooLong = true
            }
        }
        return lines
    }

    private mutating func end() -> Line? {
        let text = String(String(decoding: line, as: UTF8.self).map { $0.isASCII && $0.asciiValue.map { $0 < 0x20 || $0 == 0x7F } == true ? " " : $0 })
        let word = text.split(separator: " ").joined(separator: " ")
        defer { (line, isTooLong) = ([], false) }
        if isTooLong { return .unknown(word + "…") }
        switch word.lowercased() {
        case "": return nil
        case "charging": return .charging
        case "discharging": return .discharging
        default: return .unknown(word)
        }
    }
}
