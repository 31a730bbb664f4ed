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

/// A state told before the head unit has agreed to go on with the session.
public struct Speculation: Sendable, Equatable {
    public let frame: SceneFrame
    public let commit: Commit
    public let semantics: SemanticsUpdate
    /// What the commit names and the head unit may not have.
    let pictures: [Picture]

    struct Picture: Sendable, Equatable {
        let id: UInt32
        let hash: ContentHash
        /// Of the budget.
        let cost: Int
        let body: [UInt8]
    }

    /// Bodies of Resource messages, to be sent before the commit.
    public var resources: [[UInt8]] { pictures.map(\.body) }

    /// Whether the head unit takes it, having applied `presented` before (`Resumed.presented_sequence`) and received pictures up to
    /// `highestResource`. Another connection of the phone may have been there first: the one in doubt, or one of the same race whose
    /// Welcome was lost (spec, R-14, R-15).
    public func counts(after presented: UInt32, highestResource: UInt32) -> Bool {
        guard commit.sequence > presented else { return false }
        // Above the last of them: the connection in doubt went on after this was made, and they were not taken.
        return pictures.last.map { highestResource <= $0.id } ?? true
    }
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
    /// They may be lost: the next publication says them again.
    private var repeatsReleases = false
    /// Highest resource id each commit on its way came after, in the order of commits.
    private var unconfirmedResources: [(sequence: UInt32, highest: UInt32)] = []
    /// Resources up to this id have arrived.
    private var confirmedResource: UInt32 = 0
    /// The lowest id that was said in advance since then and may have arrived where others before it have not.
    private var firstFlown: UInt32?
    /// What was said in advance last, as long as it would be the same again.
    private var drafted: Speculation?
    /// Most bytes of pictures said in advance: they go with the first packets (spec, MAX_EARLY_DATA), with a commit and its meaning.
    static let mostInAdvance = 8_192
    /// And most bytes of pixels to try to get into that: it is done at every change while the phone looks for its car.
    private static let mostPixelsInAdvance = 131_072
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
        drafted = nil
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
        if needsReset || repeatsReleases {
            repeatsReleases = false
            publication.released = unconfirmedReleases.flatMap(\.ids) + publication.released
            unconfirmedReleases = []
        }

        layers = current
        sent = frame
        needsReset = false
        sequence &+= 1
        publication.commit.sequence = sequence
        publication.semantics?.sequence = sequence
        unconfirmedResources.append((sequence, cache.highest))
        if !publication.released.isEmpty { unconfirmedReleases.append((sequence, publication.released)) }
        return publication
    }

    /// The head unit showed this commit, so everything sent before it arrived (`Presented.sequence`).
    public mutating func presented(_ sequence: UInt32) {
        drafted = nil
        unconfirmedReleases.removeAll { $0.sequence < sequence }
        while let first = unconfirmedResources.first, first.sequence <= sequence {
            confirmedResource = max(confirmedResource, first.highest)
            unconfirmedResources.removeFirst()
        }
    }

    /// The link came back with the same session: the next publication resends the tree, and of the resources only
    /// those after `highestResource` (`Resumed.highest_resource`).
    /// - Parameter presented: the last commit there, maybe one said in advance that this end thought lost (`Resumed.presented_sequence`).
    public mutating func resume(highestResource: UInt32, presented: UInt32 = 0) {
        release(restart(highestResource, presented))
    }

    /// - Returns: ids that may be held there and are not used any more.
    private mutating func restart(_ highestResource: UInt32, _ presented: UInt32) -> [UInt32] {
        var strays: [UInt32] = []
        if let firstFlown, highestResource >= firstFlown {
            // Something said in advance has arrived, on a connection of which nothing was heard: what was sent before it may not have.
            strays = Self.ids(above: confirmedResource, upTo: min(highestResource, cache.highest))
            cache.forget(after: confirmedResource)
        } else {
            cache.forget(after: highestResource)
        }
        sequence = max(sequence, presented)
        confirmedResource = highestResource
        unconfirmedResources = []
        needsReset = true
        firstFlown = nil
        drafted = nil
        return strays
    }

    /// The newest of them, where there are very many: the others were forgotten long ago, or never sent.
    private static func ids(above low: UInt32, upTo high: UInt32) -> [UInt32] {
        guard high > low else { return [] }
        return Array((high - low > 4_096 ? high - 4_095 : low + 1)...high)
    }

    /// What is left over goes with the next state.
    private mutating func release(_ ids: [UInt32]) {
        guard !ids.isEmpty else { return }
        unconfirmedReleases.append((sequence, ids))
        repeatsReleases = true
    }

    /// What a resumed session can be told before the head unit has said anything: the whole of `frame`. Nil when it needs pictures that
    /// are not known to be there, and are too large or may not go along. See ``resume(highestResource:presented:showing:)``.
    /// - Parameter bringsPictures: new ones may go along, under ids that are used up with that.
    public mutating func speculation(_ frame: SceneFrame, bringingPictures bringsPictures: Bool = false) -> Speculation? {
        guard sequence > 0 else { return nil }
        if let drafted, drafted.frame == frame, bringsPictures || drafted.pictures.isEmpty { return drafted }
        var missing: [ContentHash: RasterImage] = [:]
        for case let image? in frame.layers.map(\.image) where cache.known(image, upTo: confirmedResource) == nil { missing[image.hash] = image }
        guard let pictures = pictures(frame.layers.compactMap(\.image), missing, bringsPictures) else { return nil }
        let ids = Dictionary(uniqueKeysWithValues: pictures.map { ($0.hash, $0.id) })
        var commit = Commit()
        commit.reset = true
        commit.sequence = sequence &+ 1
        commit.background = frame.background.rgba
        commit.upsert = frame.layers.map { layer in layer.wire { ids[$0.hash] ?? cache.known($0, upTo: confirmedResource) ?? 0 } }
        var semantics = SemanticsUpdate()
        semantics.reset = true
        semantics.sequence = commit.sequence
        semantics.upsert = frame.semantics
        drafted = Speculation(frame: frame, commit: commit, semantics: semantics, pictures: pictures)
        return drafted
    }

    /// Those that are missing, ready to be sent; nil when that cannot be.
    private mutating func pictures(_ images: [RasterImage], _ missing: [ContentHash: RasterImage], _ mayBring: Bool) -> [Speculation.Picture]? {
        if missing.isEmpty { return [] }
        let pixels = missing.values.reduce(0) { $0 + $1.pixels.count + ResourceHeader.overhead }
        guard mayBring, pixels <= Self.mostPixelsInAdvance, cache.hasRoom(for: pixels) else { return nil }
        var pictures: [Speculation.Picture] = []
        var bytes = 0, missing = missing
        for image in images {
            guard let image = missing.removeValue(forKey: image.hash) else { continue }
            let id = cache.reserve()
            let body = image.resourceBody(id: id, compress: cache.compresses)
            bytes += body.count
            guard bytes <= Self.mostInAdvance else { return nil }
            pictures.append(Speculation.Picture(id: id, hash: image.hash, cost: image.pixels.count + ResourceHeader.overhead, body: body))
        }
        firstFlown = firstFlown ?? pictures.first?.id
        return pictures
    }

    /// The link came back with the same session. If what was said in advance counts, only what differs from it is sent. Commits that went
    /// another way meanwhile and have not arrived never will: their sequences are free again.
    /// - Returns: whether it counts.
    @discardableResult
    public mutating func resume(highestResource: UInt32, presented: UInt32 = 0, showing speculation: Speculation) -> Bool {
        var strays = restart(highestResource, presented)
        let own = Set(speculation.pictures.map(\.id))
        strays.removeAll(where: own.contains)
        guard speculation.counts(after: presented, highestResource: highestResource) else {
            release(strays + own.sorted())
            return false
        }
        strays += speculation.pictures.compactMap { cache.adopt($0) }
        sequence = speculation.commit.sequence
        if let last = speculation.pictures.last { unconfirmedResources = [(sequence, last.id)] }
        sent = speculation.frame
        layers = Dictionary(sent.layers.map { ($0.id, $0) }) { _, last in last }
        semantics = Dictionary(sent.semantics.map { ($0.id, $0) }) { _, last in last }
        needsReset = false
        release(strays)
        repeatsReleases = true
        return true
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
