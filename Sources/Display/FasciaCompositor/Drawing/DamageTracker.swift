/// Finds what has to be painted anew by comparing two draw lists. It looks at results only, so that no kind of change can be forgotten.
struct DamageTracker {
    /// More rectangles than this are merged: each costs a walk over the draw list.
    static let maximumRectangles = 8

    private var shown: [DrawItem] = []
    /// The next comparison gives the whole screen.
    var everything = true

    /// Where `items` differ from the last list given. Rectangles of the result do not overlap.
    mutating func damage(showing items: [DrawItem], screen: PixelRect) -> [PixelRect] {
        defer { shown = items; everything = false }
        if everything { return [screen] }
        var rectangles: [PixelRect] = []
        if shown.count == items.count, zip(shown, items).allSatisfy({ $0.key == $1.key }) {
            for (old, new) in zip(shown, items) where old != new {
                Self.add(old.visible, to: &rectangles)
                Self.add(new.visible, to: &rectangles)
            }
            return rectangles
        }
        var position: [UInt64: Int] = [:]
        position.reserveCapacity(shown.count)
        for (index, item) in shown.enumerated() { position[item.key] = index }
        var kept = [Bool](repeating: false, count: shown.count)
        var furthest = -1
        for new in items {
            guard let index = position[new.key] else {
                Self.add(new.visible, to: &rectangles)
                continue
            }
            kept[index] = true
            // Painted earlier than one it used to follow: the order changed.
            if index < furthest || shown[index] != new {
                Self.add(shown[index].visible, to: &rectangles)
                Self.add(new.visible, to: &rectangles)
            }
            furthest = max(furthest, index)
        }
        for (index, item) in shown.enumerated() where !kept[index] { Self.add(item.visible, to: &rectangles) }
        return rectangles
    }

    /// Adds a rectangle, uniting it with those it touches, then with the one that wastes least.
    static func add(_ rectangle: PixelRect, to rectangles: inout [PixelRect]) {
        guard !rectangle.isEmpty else { return }
        var merged = rectangle
        while let index = rectangles.firstIndex(where: { $0.intersects(merged) }) {
            merged = merged.union(rectangles.remove(at: index))
        }
        if rectangles.count >= maximumRectangles {
            func waste(_ other: PixelRect) -> Int { merged.union(other).area - merged.area - other.area }
            let index = rectangles.indices.min { waste(rectangles[$0]) < waste(rectangles[$1]) } ?? 0
            merged = merged.union(rectangles.remove(at: index))
            return add(merged, to: &rectangles)
        }
        rectangles.append(merged)
    }
}
