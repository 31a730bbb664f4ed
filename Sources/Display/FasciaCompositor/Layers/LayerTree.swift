import FasciaScene
import FasciaWire

/// The retained layers of one screen. A change is applied whole or not at all.
struct LayerTree {
    struct Node {
        var properties: LayerProperties
        var animations: [RunningAnimation]
        /// Index in `drawOrder` of the parent, -1 for the screen.
        var parentIndex = -1
    }

    private var layers: [UInt32: Node] = [:]
    /// Parents before their children, siblings by rising order, then rising id: the order of painting.
    private(set) var drawOrder: [Node] = []
    private(set) var background = Color(rgba: 0)

    var count: Int { layers.count }

    /// In this order: reset, remove, upsert.
    /// - Throws: what makes the change impossible; the tree is then as it was.
    mutating func apply(reset: Bool, upsert: [LayerProperties], remove: [UInt32], background newBackground: Color, limits: DisplayLimits) throws(DisplayError) {
        var next = reset ? [:] : layers
        if !remove.isEmpty { Self.remove(Set(remove), from: &next) }
        for properties in upsert {
            // A reset too lets animations go on: after a resume the phone sends the tree whole, and nothing may jump.
            let running = next[properties.id]?.animations ?? layers[properties.id]?.animations ?? []
            next[properties.id] = Node(properties: properties, animations: Self.carriedOver(properties.animations, from: running))
        }
        guard next.count <= limits.layers else {
            throw DisplayError(.tooManyLayers, "\(next.count) layers, at most \(limits.layers)")
        }
        let area = next.values.reduce(0) { $0 + $1.properties.drawnArea(limits) }
        guard area <= limits.overdraw * limits.screenWidth * limits.screenHeight else {
            throw DisplayError(.tooMuchDrawing, "layers of \(area) pixels, at most \(limits.overdraw) screens of \(limits.screenWidth)x\(limits.screenHeight)")
        }
        let order = try Self.drawOrder(of: next, limits: limits)
        layers = next
        drawOrder = order
        if newBackground.rgba != 0 { background = newBackground }
    }

    mutating func removeAll() { self = LayerTree() }

    /// Starts every animation that has not been presented before.
    mutating func startAnimations(at now: UInt64) {
        for index in drawOrder.indices where drawOrder[index].animations.contains(where: { $0.start == nil }) {
            for at in drawOrder[index].animations.indices where drawOrder[index].animations[at].start == nil {
                drawOrder[index].animations[at].start = now
            }
            layers[drawOrder[index].properties.id]?.animations = drawOrder[index].animations
        }
    }

    /// When an animation changes the picture next; nil when nothing moves.
    func nextChange(after now: UInt64, frameInterval: UInt64) -> UInt64? {
        var earliest: UInt64?
        for node in drawOrder {
            for animation in node.animations {
                guard let next = animation.nextChange(after: now, frameInterval: frameInterval) else { continue }
                earliest = min(earliest ?? next, next)
            }
        }
        return earliest
    }

    /// An id the layer already has goes on (or stays ended), a new one waits for its first presentation.
    private static func carriedOver(_ animations: [SceneLayer.Animation], from running: [RunningAnimation]) -> [RunningAnimation] {
        animations.map { animation in
            RunningAnimation(animation: animation, start: running.first { $0.animation.id == animation.id }?.start)
        }
    }

    private static func remove(_ ids: Set<UInt32>, from layers: inout [UInt32: Node]) {
        var doomed = ids
        var found = true
        while found {
            found = false
            for (id, node) in layers where !doomed.contains(id) && doomed.contains(node.properties.parent) {
                doomed.insert(id)
                found = true
            }
        }
        for id in doomed { layers[id] = nil }
    }

    private static func drawOrder(of layers: [UInt32: Node], limits: DisplayLimits) throws(DisplayError) -> [Node] {
        var children: [UInt32: [(order: Int32, id: UInt32)]] = [:]
        for (id, node) in layers {
            let parent = node.properties.parent
            guard parent == 0 || layers[parent] != nil else {
                throw DisplayError(.missingParent, "layer \(id) hangs under \(parent), which is not there")
            }
            children[parent, default: []].append((node.properties.order, id))
        }
        // Drawn last is pushed first.
        func sorted(_ parent: UInt32) -> [UInt32] {
            (children[parent] ?? []).sorted { ($0.order, $0.id) > ($1.order, $1.id) }.map(\.id)
        }
        var order: [Node] = []
        order.reserveCapacity(layers.count)
        var pending: [(id: UInt32, parentIndex: Int, depth: Int)] = sorted(0).map { ($0, -1, 1) }
        while let (id, parentIndex, depth) = pending.popLast() {
            guard var node = layers[id] else { continue }
            guard depth <= limits.depth else {
                throw DisplayError(.tooDeep, "layer \(id) is deeper than \(limits.depth)")
            }
            node.parentIndex = parentIndex
            let index = order.count
            order.append(node)
            pending.append(contentsOf: sorted(id).map { ($0, index, depth + 1) })
        }
        guard order.count == layers.count else {
            let lost = Set(layers.keys).subtracting(order.map(\.properties.id)).min() ?? 0
            throw DisplayError(.cycle, "layer \(lost) is its own ancestor")
        }
        return order
    }
}
