import FasciaWire

/// What one new state costs on the link: bodies ready to be sent, in this order.
public struct Publication: Sendable, Equatable {
    /// Bodies of Resource messages (spec "Resource"), not sent before in this session.
    public var resources: [[UInt8]] = []
    /// The change of the layer tree (spec 10.4).
    public var commit: Commit
    /// Nil when the meaning of the screen did not change.
    public var semantics: SemanticsUpdate?
    /// Ids the head unit may forget once the commit is applied.
    public var released: [UInt32] = []
}

/// Keeps what the head unit has of one screen, and says what it still needs to show a new state: the screen is state
/// to synchronise, so states that were never sent cost nothing and a resumed session starts from what arrived.
///
/// ```
///  SceneFrame --publish--> resources, commit, semantics   (sequence n)
///                             ...Presented(n)...
///  link lost, same session -> resume(...)   keeps every resource that arrived, sends the tree whole
///  new session             -> startSession(...)
/// ```
public struct ScenePublisher: Sendable {
    private var cache: ResourceCache
    private var sent = SceneFrame()
    private var layers: [UInt32: SceneLayer] = [:]
    private var semantics: [UInt32: SemanticNode] = [:]
    private var needsReset = true
    /// Releases the head unit may not have seen yet, by the commit they went with.
    private var unconfirmedReleases: [(sequence: UInt32, ids: [UInt32])] = []
    /// Highest commit sequence handed out, 0 before the first.
    public private(set) var sequence: UInt32 = 0

    /// - Parameters:
    ///   - resourceBudget: decoded bytes the head unit keeps (`Limits.resource_budget`), 0 = no limit stated.
    ///   - compress: the head unit understands zstd.
    public init(resourceBudget: Int = 0, compress: Bool = true) {
        cache = ResourceCache(budget: resourceBudget, compress: compress)
    }

    /// The difference from the last state published, nil when there is none.
    public mutating func publish(_ frame: SceneFrame, causedBy input: UInt32 = 0) -> Publication? {
        if !needsReset, frame == sent { return nil }
        var publication = Publication(commit: Commit())
        cache.beginPublication()
        publication.commit.reset = needsReset
        publication.commit.causedBy = input
        if needsReset || frame.background != sent.background { publication.commit.background = frame.background.rgba }

        var current = [UInt32: SceneLayer](minimumCapacity: frame.layers.count)
        for layer in frame.layers {
            current[layer.id] = layer
            if let image = layer.image { cache.use(image) }
            if needsReset || layers[layer.id] != layer {
                publication.commit.upsert.append(layer.wire { cache.identifier(of: $0, sending: &publication.resources) })
            }
        }
        if !needsReset { publication.commit.remove = layers.keys.filter { current[$0] == nil }.sorted() }
        publication.semantics = semanticsUpdate(frame.semantics)
        publication.released = cache.evict()
        if needsReset {
            publication.released = unconfirmedReleases.flatMap(\.ids) + publication.released
            unconfirmedReleases = []
        }

        layers = current
        sent = frame
        needsReset = false
        sequence &+= 1
        publication.commit.sequence = sequence
        publication.semantics?.sequence = sequence
        if !publication.released.isEmpty { unconfirmedReleases.append((sequence, publication.released)) }
        return publication
    }

    /// The head unit showed this commit, so everything sent before it arrived (`Presented.sequence`).
    public mutating func presented(_ sequence: UInt32) {
        unconfirmedReleases.removeAll { $0.sequence < sequence }
    }

    /// The link came back with the same session: the next publication resends the tree, and of the resources only
    /// those after `highestResource` (`Resumed.highest_resource`).
    public mutating func resume(highestResource: UInt32) {
        cache.forget(after: highestResource)
        needsReset = true
    }

    /// A session the head unit knows nothing of.
    public mutating func startSession(resourceBudget: Int, compress: Bool) {
        self = ScenePublisher(resourceBudget: resourceBudget, compress: compress)
    }

    /// Whether the head unit forgets a node because an ancestor of it is removed.
    private func goes(_ id: UInt32, with removed: Set<UInt32>) -> Bool {
        guard !removed.isEmpty else { return false }
        var seen = Set<UInt32>()
        var ancestor = semantics[id]?.parent ?? 0
        while ancestor != 0, seen.insert(ancestor).inserted {
            if removed.contains(ancestor) { return true }
            ancestor = semantics[ancestor]?.parent ?? 0
        }
        return false
    }

    private mutating func semanticsUpdate(_ nodes: [SemanticNode]) -> SemanticsUpdate? {
        var update = SemanticsUpdate()
        update.reset = needsReset
        let current = Dictionary(nodes.map { ($0.id, $0) }) { _, last in last }
        if !needsReset { update.remove = semantics.keys.filter { current[$0] == nil }.sorted() }
        let removed = Set(update.remove)
        for node in nodes where needsReset || semantics[node.id] != node || goes(node.id, with: removed) { update.upsert.append(node) }
        semantics = current
        return update.reset || !update.upsert.isEmpty || !update.remove.isEmpty ? update : nil
    }
}
