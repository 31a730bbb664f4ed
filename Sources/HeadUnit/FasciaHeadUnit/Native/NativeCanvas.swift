import FasciaPaint
import FasciaScene
import FasciaWire

/// Collects layers and their meaning. Lengths are pixels, `points` turns points into them.
struct NativeCanvas {
    let painter: Painter
    let scale: Double
    private(set) var frame: SceneFrame
    private var nextID: UInt32 = 10

    /// `background` with alpha 0 leaves what lies below visible.
    init(painter: Painter, scale: Double, background: Color) {
        self.painter = painter
        self.scale = scale
        frame = SceneFrame(background: background)
    }

    func points(_ value: Double) -> Double { (value * scale).rounded() }

    mutating func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ content: SceneLayer.Content, radius: Double = 0, border: Color? = nil) {
        var layer = layer(x, y, width, height, content)
        layer.cornerRadius = Float(radius)
        if let border { layer.border = .init(width: Float(max(1, scale / 2)), color: border) }
        frame.layers.append(layer)
    }

    /// One text; `x` is its left edge, centre or right edge, as `alignment` says. `optical`: its ink begins at `x`, as large digits need to
    /// line up with small text.
    /// - Returns: the height it takes.
    @discardableResult
    mutating func text(_ string: String, size: Double, _ weight: TextStyle.Weight, _ color: Color, x: Double, y: Double, width: Double,
                       lines: Int = 1, alignment: TextStyle.Alignment = .leading, optical: Bool = false, says label: String? = nil, value: String = "", identifier: String = "",
                       role: SemanticNode.Role = .text) -> Double {
        let style = TextStyle(size: points(size), weight: weight, maxWidth: Int(width), maxLines: lines, alignment: alignment,
                              lineSpacing: lines > 1 ? points(size * 0.12) : 0, tabularDigits: true)
        let painted = painter.label(string, style)
        let left: Double =
            switch alignment {
            case .leading: painted.rightToLeft ? x + width - Double(painted.width) : optical ? x - Double(painted.inkX) : x
            case .center: (x - Double(painted.width) / 2).rounded()
            case .trailing: x - Double(painted.width)
            }
        if let image = painted.image {
            frame.layers.append(layer(left + Double(painted.inkX), y + Double(painted.inkY), Double(image.width), Double(image.height), .image(image, tint: color)))
        }
        means(role, label ?? string, value: value, identifier: identifier, left, y, Double(painted.width), Double(painted.height))
        return Double(painted.height)
    }

    /// Width of one line of text.
    func labelWidth(_ string: String, size: Double, _ weight: TextStyle.Weight) -> Double {
        Double(painter.measure(string, TextStyle(size: points(size), weight: weight, tabularDigits: true)).width)
    }

    /// The largest size up to `size` points at which `string` fits `width` on one line.
    func fitting(_ string: String, size: Double, _ weight: TextStyle.Weight, width: Double) -> Double {
        let natural = Double(painter.measure(string, TextStyle(size: points(size), weight: weight, tabularDigits: true)).width)
        guard natural > width - 1 else { return size }
        return max(6, (size * (width - 1) / natural * 2).rounded(.down) / 2)
    }

    func height(_ string: String, size: Double, _ weight: TextStyle.Weight, width: Double, lines: Int) -> Double {
        Double(painter.label(string, TextStyle(size: points(size), weight: weight, maxWidth: Int(width), maxLines: lines,
                                               lineSpacing: lines > 1 ? points(size * 0.12) : 0, tabularDigits: true)).height)
    }

    /// A picture, fitted to the place.
    mutating func picture(_ image: RasterImage, tint: Color?, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        frame.layers.append(layer(x, y, width, height, .image(image, tint: tint)))
    }

    /// A place that means something beside its texts.
    mutating func region(_ label: String, identifier: String, role: SemanticNode.Role = .alert, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        means(role, label, value: "", identifier: identifier, x, y, width, height)
    }

    mutating func icon(_ glyph: String, size: Double, _ color: Color, x: Double, y: Double) {
        let image = painter.icon(Icon(glyph: glyph), size: Int(points(size)))
        frame.layers.append(layer(x, y, Double(image.width), Double(image.height), .image(image, tint: color)))
    }

    /// The spinner of the phone's screens.
    mutating func spinner(size: Double, _ color: Color, x: Double, y: Double, id: UInt32) {
        let side = Int(points(size)), image = painter.icon(.spinner, size: side)
        var layer = SceneLayer(id: id, order: 1, x: Float(x), y: Float(y), width: Float(side), height: Float(side), content: .image(image, tint: color))
        layer.animations = [.init(id: 1, property: .rotation, from: 0, to: 360, milliseconds: 960, curve: .steps12, repeats: true)]
        frame.layers.append(layer)
        means(.spinner, "", value: "", identifier: "", x, y, Double(side), Double(side))
    }

    private mutating func layer(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ content: SceneLayer.Content) -> SceneLayer {
        nextID += 1
        return SceneLayer(id: nextID, x: Float(x.rounded()), y: Float(y.rounded()), width: Float(width.rounded()), height: Float(height.rounded()), content: content)
    }

    private mutating func means(_ role: SemanticNode.Role, _ label: String, value: String, identifier: String,
                                _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        let id = UInt32(frame.semantics.count + 1)
        frame.semantics.append(.with {
            $0.id = id
            $0.order = Int32(id)
            $0.role = role
            $0.label = label
            $0.value = value
            $0.identifier = identifier
            $0.x = Float(x)
            $0.y = Float(y)
            $0.width = Float(width)
            $0.height = Float(height)
            $0.enabled = true
            $0.visible = true
            $0.busy = role == .spinner
        })
    }
}
