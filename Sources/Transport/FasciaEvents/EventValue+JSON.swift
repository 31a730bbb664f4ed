extension EventValue {
    /// Appends the value as JSON, members of objects in alphabetical order. By hand: Foundation's encoder takes 30 us for a line, and
    /// events are written on the way of a frame.
    func write(to text: inout String) {
        switch self {
        case .string(let value): Self.write(value, to: &text)
        case .integer(let value): text += String(value)
        case .number(let value):
            if let whole = Int64(exactly: value) { text += String(whole) } else { text += value.isFinite ? "\(value)" : "null" }
        case .bool(let value): text += value ? "true" : "false"
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            Self.write(members, after: false, to: &text)
            text += "}"
        case .null: text += "null"
        }
    }

    /// - Parameter after: others were written before.
    static func write(_ members: [String: EventValue], after others: Bool, to text: inout String) {
        var comma = others
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if comma { text += "," }
            comma = true
            write(name, to: &text)
            text += ":"
            value.write(to: &text)
        }
    }

    /// In quotes, escaped as RFC 8259, section 7 demands.
    static func write(_ string: String, to text: inout String) {
        text += "\""
        let needsNone = string.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if needsNone {
            text += string
        } else {
            for scalar in string.unicodeScalars {
                switch scalar {
                case "\"": text += "\\\""
                case "\\": text += "\\\\"
                case "\n": text += "\\n"
                case "\r": text += "\\r"
                case "\t": text += "\\t"
                case _ where scalar.value < 0x20:
                    let digits = String(scalar.value, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }
}
