import FasciaWire

/// The answer of `tree`: what is on the screen, one line of JSON.
struct ScreenTree: Encodable {
    struct Node: Encodable {
        var role: String
        var label: String?
        var value: String?
        var identifier: String?
        /// x, y, width, height in pixels.
        var frame: [Double]
        var enabled: Bool
        var visible: Bool
        var focused: Bool?
        var selected: Bool?
        var busy: Bool?
        var children: [Node]?
    }

    /// `phone`, or which of the car's own screens.
    var screen: String
    var width: Int
    var height: Int
    var nodes: [Node]

    init(screen: String, width: Int, height: Int, semantics: [SemanticNode]) {
        self.screen = screen
        self.width = width
        self.height = height
        let known = Set(semantics.map(\.id))
        let children = Dictionary(grouping: semantics) { known.contains($0.parent) && $0.parent != $0.id ? $0.parent : 0 }
        nodes = Self.nodes(under: 0, children, depth: 0)
    }

    private static func nodes(under parent: UInt32, _ children: [UInt32: [SemanticNode]], depth: Int) -> [Node] {
        guard depth < 64 else { return [] }
        return (children[parent] ?? []).sorted { ($0.order, $0.id) < ($1.order, $1.id) }.map { node in
            let below = node.id == 0 ? [] : nodes(under: node.id, children, depth: depth + 1)
            func text(_ value: String) -> String? { value.isEmpty ? nil : value }
            func flag(_ value: Bool) -> Bool? { value ? true : nil }
            return Node(role: node.role.text, label: text(node.label), value: text(node.value), identifier: text(node.identifier),
                        frame: [node.x, node.y, node.width, node.height].map { (Double($0) * 10).rounded() / 10 }, enabled: node.enabled, visible: node.visible,
                        focused: flag(node.focused), selected: flag(node.selected), busy: flag(node.busy), children: below.isEmpty ? nil : below)
        }
    }
}

extension SemanticNode.Role {
    var text: String {
        switch self {
        case .screen: "screen"
        case .text: "text"
        case .button: "button"
        case .row: "row"
        case .tab: "tab"
        case .image: "image"
        case .list: "list"
        case .header: "header"
        case .alert: "alert"
        case .progress: "progress"
        case .application: "application"
        case .badge: "badge"
        case .spinner: "spinner"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}
