import FasciaWire

/// Which pictures the head unit holds under which id. Ids rise by one and are never used again, so "everything up to n
/// arrived" says all there is to say about a cut (spec "Resume").
struct ResourceCache: Sendable {
    private struct Entry {
        let id: UInt32
        let bytes: Int
        var lastUse: UInt64
    }

    /// Pictures are kept this much below the head unit's budget, so that a commit and its resources always fit.
    private static let headroom = 4
    private var entries: [ContentHash: Entry] = [:]
    private var nextID: UInt32 = 1
    private var held = 0
    private var publication: UInt64 = 0
    private let budget: Int
    private let compress: Bool

    init(budget: Int, compress: Bool) {
        self.budget = budget
        self.compress = compress
    }

    mutating func beginPublication() { publication += 1 }

    mutating func use(_ image: RasterImage) { entries[image.hash]?.lastUse = publication }

    /// The id of a picture; encodes it onto `sending` if the head unit has not got it.
    mutating func identifier(of image: RasterImage, sending: inout [[UInt8]]) -> UInt32 {
        if let entry = entries[image.hash] { return entry.id }
        let id = nextID
        nextID += 1
        sending.append(image.resourceBody(id: id, compress: compress))
        let cost = image.pixels.count + ResourceHeader.overhead
        entries[image.hash] = Entry(id: id, bytes: cost, lastUse: publication)
        held += cost
        return id
    }

    /// An id for a picture that is said in advance: used up, whatever becomes of it (spec, R-15).
    mutating func reserve() -> UInt32 {
        defer { nextID += 1 }
        return nextID
    }

    /// A picture said in advance is there.
    /// - Returns: the id of the same picture that is there already, and is not needed twice.
    mutating func adopt(_ picture: Speculation.Picture) -> UInt32? {
        let old = entries[picture.hash]
        entries[picture.hash] = Entry(id: picture.id, bytes: picture.cost, lastUse: publication)
        if old == nil { held += picture.cost }
        return old?.id
    }

    /// Whether there is room for pictures beside those that are kept: in half of what is kept free.
    func hasRoom(for cost: Int) -> Bool { budget == 0 || held + cost <= budget - budget / Self.headroom / 2 }

    var compresses: Bool { compress }

    /// Highest id handed out, 0 before the first.
    var highest: UInt32 { nextID - 1 }

    /// The id of a picture the head unit is known to have: one of those up to `highest`.
    func known(_ image: RasterImage, upTo highest: UInt32) -> UInt32? { entries[image.hash].flatMap { $0.id <= highest ? $0.id : nil } }

    /// Ids to release: least recently used pictures that the current state does not show, until the budget holds.
    mutating func evict() -> [UInt32] {
        guard budget > 0 else { return [] }
        let target = budget - budget / Self.headroom
        guard held > target else { return [] }
        var released: [UInt32] = []
        for (hash, entry) in entries.filter({ $0.value.lastUse < publication }).sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            if held <= target { break }
            entries[hash] = nil
            held -= entry.bytes
            released.append(entry.id)
        }
        return released
    }

    mutating func forget(after highest: UInt32) {
        for (hash, entry) in entries where entry.id > highest {
            entries[hash] = nil
            held -= entry.bytes
        }
    }
}
