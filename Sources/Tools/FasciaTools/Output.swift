import FasciaEvents
import Foundation

/// What the commands write.
enum Output {
    /// A line on standard output, there at once also when it is a pipe.
    static func line(_ text: String) { StandardStreams.output(text) }

    /// A line on standard error.
    static func note(_ text: String) { StandardStreams.error(text) }

    /// One JSON value on a line of its own.
    static func json(_ value: some Encodable) throws { line(try jsonLine(value)) }

    static func jsonLine(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Rows in columns as wide as their longest cell; the last one ragged.
    static func table(_ rows: [[String]]) -> String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { index, cell in
                index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// What a peer calls itself, harmless on a terminal: without control characters.
    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control && $0.properties.generalCategory != .format }))
    }
}
