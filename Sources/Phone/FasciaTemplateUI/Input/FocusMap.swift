/// Moves through what can be focused. Frames in screen points as they are now, scrolled.
struct FocusMap {
    enum Direction { case up, down, left, right }

    struct Stop {
        var key: String
        var frame: Rect
        var isDock: Bool
        var rank: Int
    }

    var stops: [Stop]

    func index(of key: String?) -> Int? { key.flatMap { key in stops.firstIndex { $0.key == key } } }

    /// Where a new page's focus is: the lowest rank, first in order.
    var initial: Int? {
        stops.indices.filter { !stops[$0].isDock }.min { (stops[$0].rank, $0) < (stops[$1].rank, $1) } ?? stops.indices.first
    }

    /// `steps` further in order among its own (page or dock); stops at the ends.
    func rotated(from index: Int, by steps: Int) -> Int {
        let own = stops.indices.filter { stops[$0].isDock == stops[index].isDock }
        guard let position = own.firstIndex(of: index) else { return index }
        return own[max(0, min(own.count - 1, position + max(-own.count, min(own.count, steps))))]
    }

    /// The nearest in a direction: distance ahead counts once, offset aside twice; overlap aside counts nothing.
    func neighbour(of index: Int, _ direction: Direction) -> Int? {
        let from = stops[index].frame
        var best: (index: Int, cost: Double)?
        for (candidate, stop) in stops.enumerated() where candidate != index {
            let to = stop.frame
            let ahead: Double, aside: Double
            switch direction {
            case .up: (ahead, aside) = (from.y - to.maxY, gap(from.x, from.maxX, to.x, to.maxX))
            case .down: (ahead, aside) = (to.y - from.maxY, gap(from.x, from.maxX, to.x, to.maxX))
            case .left: (ahead, aside) = (from.x - to.maxX, gap(from.y, from.maxY, to.y, to.maxY))
            case .right: (ahead, aside) = (to.x - from.maxX, gap(from.y, from.maxY, to.y, to.maxY))
            }
            let tolerance = min(from.height, to.height, from.width, to.width) * 0.5
            guard ahead > -tolerance, centerIsAhead(from, to, direction) else { continue }
            // Up and down stay in the page or the dock while they can.
            let crossing = stop.isDock != stops[index].isDock && (direction == .up || direction == .down) ? 10_000.0 : 0
            let centers = direction == .up || direction == .down ? abs(from.midX - to.midX) : abs(from.midY - to.midY)
            let cost = max(0, ahead) + aside * 2 + centers * 0.05 + crossing
            if cost < best?.cost ?? .infinity { best = (candidate, cost) }
        }
        return best?.index
    }

    private func gap(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double { max(0, max(a, c) - min(b, d)) }

    private func centerIsAhead(_ from: Rect, _ to: Rect, _ direction: Direction) -> Bool {
        switch direction {
        case .up: to.midY < from.midY - 1
        case .down: to.midY > from.midY + 1
        case .left: to.midX < from.midX - 1
        case .right: to.midX > from.midX + 1
        }
    }
}
