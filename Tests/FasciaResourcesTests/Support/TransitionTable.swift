import FasciaWire
import Foundation
import Testing

/// The table of spec/ownership.md, 3.3, as it is written there.
struct TransitionTable {
    enum Request: String, CaseIterable {
        case take = "Take"
        case borrow = "Borrow"
        case giveBack = "Return"
    }

    /// Owner and borrower, as the asking end sees them.
    struct Position: Hashable, CustomStringConvertible {
        enum Party: String, CaseIterable { case nobody = "-", own = "self", other }
        let owner: Party
        let borrower: Party

        init?(_ text: some StringProtocol) {
            let parts = text.split(separator: "/").compactMap { Party(rawValue: String($0)) }
            guard parts.count == 2 else { return nil }
            (owner, borrower) = (parts[0], parts[1])
        }

        var description: String { "\(owner.rawValue)/\(borrower.rawValue)" }
    }

    /// Whose constraint stands in the way.
    enum Condition: String { case take = "T", borrow = "B", unborrow = "U" }

    struct Cell {
        /// Nil: always.
        var condition: Condition?
        /// Nil: NOT_HELD.
        var then: Position?
        /// Nil: CONSTRAINT.
        var otherwise: Position?
    }

    let cells: [Position: [Request: Cell]]

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("spec/ownership.md"), encoding: .utf8)
        var cells: [Position: [Request: Cell]] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let columns = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard columns.count == 4, let position = Position(columns[0].filter { $0 != "`" }) else { continue }
            try #require(cells[position] == nil, "\(position) is there twice")
            cells[position] = try Dictionary(uniqueKeysWithValues: zip(Request.allCases, columns[1...]).map { ($0, try Self.cell($1)) })
        }
        self.cells = cells
    }

    private static func cell(_ text: String) throws -> Cell {
        if text == "NOT_HELD" { return Cell() }
        let quoted = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.compactMap { Position($0.element) }
        try #require(!quoted.isEmpty && quoted.count == (text.contains("else") ? 2 : 1), "a cell says \(text)")
        let condition = Condition(rawValue: String(text.prefix(1)))
        try #require((condition != nil) == text.contains(":"), "a cell says \(text)")
        return Cell(condition: condition, then: quoted[0], otherwise: quoted.count == 2 ? quoted[1] : nil)
    }
}
