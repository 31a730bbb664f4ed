import FasciaWire

/// What the screen means, as the phone says. An update counts from the moment its commit is on the screen, so that
/// `wait` never sees a text before it can be seen. Bounded in nodes and bytes (spec D-13), whatever a phone sends.
package struct SemanticsStore {
    /// Nodes kept; an update that would leave more is refused.
    package static let maximumNodes = 4_096
    /// Bytes kept: encoded updates that wait for their commit, and the texts of the nodes.
    package static let maximumBytes = 4 << 20
    /// Updates waiting for their commit; the phone is far ahead of itself when there are more.
    static let maximumPending = 256

    private var byID: [UInt32: SemanticNode] = [:]
    private var pending: [(update: SemanticsUpdate, bytes: Int)] = []
    /// Kept now, of `maximumBytes`.
    package private(set) var bytes = 0

    package init() {}

    /// In drawing order of siblings; parents may come after their children.
    package var nodes: [SemanticNode] { byID.values.sorted { ($0.order, $0.id) < ($1.order, $1.id) } }

    /// - Parameters:
    ///   - encoded: bytes of the update's message.
    ///   - presented: the last commit on the screen.
    /// - Returns: what is wrong with the update, nil when it was taken.
    package mutating func receive(_ update: SemanticsUpdate, encoded: Int, presented: UInt32) -> String? {
        guard update.upsert.count <= Self.maximumNodes else { return "\(update.upsert.count) semantic nodes in one update, at most \(Self.maximumNodes)" }
        guard pending.count < Self.maximumPending else { return "\(pending.count) semantics updates wait for commits that did not come" }
        guard bytes + encoded <= Self.maximumBytes else { return "more than \(Self.maximumBytes) bytes of semantics" }
        let coordinates = update.upsert.lazy.flatMap { [$0.x, $0.y, $0.width, $0.height] }
        guard coordinates.allSatisfy(\.isFinite) else { return "a semantic node's frame is not finite" }
        pending.append((update, encoded))
        bytes += encoded
        return advance(to: presented)
    }

    /// The phone is back over a new connection: updates whose commits were lost with the last one never count, and the next one has
    /// `reset` (spec, R-7).
    package mutating func resume() {
        bytes -= pending.reduce(0) { $0 + $1.bytes }
        pending.removeAll()
    }

    /// Commits up to `sequence` are on the screen.
    package mutating func advance(to sequence: UInt32) -> String? {
        while let (update, encoded) = pending.first, update.sequence <= sequence {
            pending.removeFirst()
            bytes -= encoded
            if update.reset { removeAll() }
            remove(update.remove)
            for node in update.upsert { set(node, for: node.id) }
            if byID.count > Self.maximumNodes {
                removeAll()
                return "more than \(Self.maximumNodes) semantic nodes"
            }
        }
        return nil
    }

    /// With all their descendants.
    private mutating func remove(_ ids: [UInt32]) {
        guard !ids.isEmpty else { return }
        let children = Dictionary(grouping: byID.values.lazy.filter { $0.parent != 0 }, by: \.parent)
        var doomed = ids
        while let id = doomed.popLast() {
            guard byID[id] != nil else { continue }
            set(nil, for: id)
            doomed += children[id]?.map(\.id) ?? []
        }
    }

    private mutating func set(_ node: SemanticNode?, for id: UInt32) {
        var node = node
        node?.unknownFields = .init() // of a newer phone; nobody here reads them, so they need not be counted
        bytes += node?.textBytes ?? 0
        bytes -= byID[id]?.textBytes ?? 0
        byID[id] = node
    }

    private mutating func removeAll() {
        bytes -= byID.values.reduce(0) { $0 + $1.textBytes }
        byID.removeAll()
    }
}

extension SemanticNode {
    fileprivate var textBytes: Int { label.utf8.count + value.utf8.count + identifier.utf8.count }
}
