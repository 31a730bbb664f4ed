/// Service instance names: one DNS label, any UTF-8 (RFC 6763, 4.1.1).
enum ServiceName {
    static let maximumBytes = 63
    static let fallback = "Fascia"

    /// `name` as a legal label: no control characters, no surrounding blanks, cut between characters; never empty.
    static func legal(_ name: String, maximumBytes: Int = maximumBytes) -> String {
        let printable = name.filter { character in character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
        let cut = String(printable.trimmed.prefix(bytes: maximumBytes)).trimmed
        return cut.isEmpty ? fallback : String(cut)
    }

    /// `name`, cut where it must be, a space and `id`: a label no other car has.
    static func unique(_ name: String, id: String) -> String { legal(name, maximumBytes: maximumBytes - 1 - id.utf8.count) + " " + id }
}

private extension String {
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[first...last])
    }
}
