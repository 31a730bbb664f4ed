import FasciaWire

/// Finding things on the screen by what they say.
struct SemanticsSearch {
    let nodes: [SemanticNode]

    /// Roles that do something when touched, preferred among equals.
    private static let active: Set<SemanticNode.Role> = [.button, .row, .tab, .application]

    /// Whether `text` can be read anywhere: in a label or in a value.
    func shows(_ text: String) -> Bool { nodes.contains { $0.visible && ($0.label.contains(text) || $0.value.contains(text)) } }

    /// What `tap TEXT` means: visible and enabled, the label equal to `text`, else containing it.
    func target(_ text: String) -> SemanticNode? {
        let candidates = nodes.filter { $0.visible && $0.enabled && !$0.label.isEmpty && $0.width > 0 && $0.height > 0 }
        func best(_ matches: (SemanticNode) -> Bool) -> SemanticNode? {
            let found = candidates.filter(matches)
            return found.first { Self.active.contains($0.role) } ?? found.first
        }
        return best { $0.label == text } ?? best { $0.label.contains(text) }
    }

    /// Whether something that says `text` is there, but scrolled out of view.
    func hides(_ text: String) -> Bool { !shows(text) && nodes.contains { !$0.visible && $0.label.contains(text) } }

    /// Labels most like `text` that could be tapped, nearest first.
    func near(_ text: String, limit: Int = 6) -> [String] {
        var seen: Set<String> = []
        let labels = nodes.filter { $0.visible && $0.enabled && !$0.label.isEmpty }.map(\.label).filter { seen.insert($0).inserted }
        let wanted = text.lowercased()
        return labels.map { (label: $0, distance: Self.distance(wanted, $0.lowercased())) }
            .sorted { $0.distance < $1.distance }.prefix(limit).map(\.label)
    }

    /// Levenshtein, on at most 64 characters.
    private static func distance(_ one: String, _ other: String) -> Int {
        let a = Array(one.prefix(64)), b = Array(other.prefix(64))
        var row = Array(0...b.count)
        for (i, character) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, candidate) in b.enumerated() {
                let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (character == candidate ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = next
            }
        }
        return row[b.count]
    }
}
