import FasciaWire

/// What the screen means, as the phone says. An update counts from the moment its commit is on the screen, so that
/// `wait` never sees a text before it can be seen.
struct SemanticsStore {
    /// Nodes kept; an update that would leave more is refused.
    static let maximumNodes = 4_096
    /// Updates waiting for their commit; the phone is far ahead of itself when there are more.
    static let maximumPending = 256

    private var byID: [UInt32: SemanticNode] = [:]
    private var pending: [SemanticsUpdate] = []

    /// In drawing order of siblings; parents may come after their children.
    var nodes: [SemanticNode] { byID.values.sorted { ($0.order, $0.id) < ($1.order, $1.id) } }

    /// - Returns: what is wrong with the update, nil when it was taken.
    mutating func receive(_ update: SemanticsUpdate, presented: UInt32) -> String? {
        guard update.upsert.count <= Self.maximumNodes else { return "\(update.upsert.count) semantic nodes in one update, at most \(Self.maximumNodes)" }
        guard pending.count < Self.maximumPending else { return "\(pending.count) semantics updates wait for commits that did not come" }
        let coordinates = update.upsert.lazy.flatMap { [$0.x, $0.y, $0.width, $0.height] }
        guard coordinates.allSatisfy(\.isFinite) else { return "a semantic node's frame is not finite" }
        pending.append(update)
        return advance(to: presented)
    }

    /// Commits up to `sequence` are on the screen.
    mutating func advance(to sequence: UInt32) -> String? {
        while let update = pending.first, update.sequence <= sequence {
            pending.removeFirst()
            if update.reset { byID.removeAll() }
            for id in update.remove { byID[id] = nil }
            for node in update.upsert { byID[node.id] = node }
            if byID.count > Self.maximumNodes {
                byID.removeAll()
                return "more than \(Self.maximumNodes) semantic nodes"
            }
        }
        return nil
    }
}
