import FasciaPaint
import FasciaScene
import FasciaWire

/// Collects the layers and elements of one frame. Lengths in points; every edge lands on whole pixels.
final class Canvas {
    /// A layer to draw in. `key` prefixes the keys of what is in it.
    struct Place {
        var layer: UInt32
        var key: String
        /// Screen position of the layer's origin, points, unscrolled.
        var x: Double
        var y: Double
        var scrolls = false
    }

    enum Alignment { case left, center, right }

    let painter: Painter
    let palette: Palette
    let scale: Double
    let identifiers: LayerIdentifiers
    private(set) var layers: [SceneLayer] = []
    private(set) var elements: [Element] = []
    /// False while a page that is leaving is drawn: it takes no input.
    var isInteractive = true

    init(painter: Painter, palette: Palette, scale: Double, identifiers: LayerIdentifiers) {
        self.painter = painter
        self.palette = palette
        self.scale = scale
        self.identifiers = identifiers
        layers.reserveCapacity(256)
    }

    var screen: Place { Place(layer: 0, key: "", x: 0, y: 0) }

    func pixels(_ points: Double) -> Float { Float((points * scale).rounded()) }
    func whole(_ points: Double) -> Int { Int((points * scale).rounded()) }

    private func frame(_ rect: Rect) -> (x: Float, y: Float, width: Float, height: Float) {
        let x = pixels(rect.x), y = pixels(rect.y)
        return (x, y, max(0, pixels(rect.maxX) - x), max(0, pixels(rect.maxY) - y))
    }

    // MARK: Layers

    @discardableResult
    func layer(_ part: String, _ rect: Rect, in place: Place, z: Int32 = 2, content: SceneLayer.Content = .none, radius: Double = 0,
               adjust: (inout SceneLayer) -> Void = { _ in }) -> Place {
        let key = place.key.isEmpty ? part : "\(place.key)/\(part)"
        let box = frame(rect)
        var layer = SceneLayer(id: identifiers.id(key), parent: place.layer, order: z, x: box.x, y: box.y, width: box.width, height: box.height, content: content)
        layer.cornerRadius = pixels(radius)
        adjust(&layer)
        layers.append(layer)
        return Place(layer: layer.id, key: key, x: place.x + rect.x, y: place.y + rect.y, scrolls: place.scrolls)
    }

    func fill(_ part: String, _ rect: Rect, _ color: Color, in place: Place, z: Int32 = 0, radius: Double = 0, adjust: (inout SceneLayer) -> Void = { _ in }) {
        layer(part, rect, in: place, z: z, content: .solid(color), radius: radius, adjust: adjust)
    }

    /// One device pixel high at least.
    func separator(_ part: String, x: Double, y: Double, width: Double, in place: Place) {
        fill(part, Rect(x, y, width, max(0.5, 1 / scale)), palette.separator, in: place)
    }

    // MARK: Pixels

    func image(_ part: String, _ image: RasterImage, tint: Color? = nil, x: Double, y: Double, in place: Place, z: Int32 = 2, opacity: Float = 1,
               adjust: (inout SceneLayer) -> Void = { _ in }) {
        let key = "\(place.key)/\(part)"
        var layer = SceneLayer(id: identifiers.id(key), parent: place.layer, order: z, x: pixels(x), y: pixels(y), width: Float(image.width), height: Float(image.height),
                               content: .image(image, tint: image.format == .a8 ? tint ?? palette.text : nil))
        layer.opacity = opacity
        adjust(&layer)
        layers.append(layer)
    }

    func icon(_ part: String, _ icon: Icon, _ size: Double, _ color: Color, centerX: Double, centerY: Double, in place: Place, z: Int32 = 2,
              adjust: (inout SceneLayer) -> Void = { _ in }) {
        image(part, painter.icon(icon, size: whole(size)), tint: color, x: centerX - size / 2, y: centerY - size / 2, in: place, z: z, adjust: adjust)
    }

    /// Turns by itself on the head unit.
    func spinner(_ part: String, _ size: Double, _ color: Color, centerX: Double, centerY: Double, in place: Place) {
        icon(part, .spinner, size, color, centerX: centerX, centerY: centerY, in: place, z: 3) {
            $0.animations = [.init(id: 1, property: .rotation, from: 0, to: 360, milliseconds: 960, curve: .steps12, repeats: true)]
        }
    }

    // MARK: Text

    func style(_ font: Font, width: Double?, lines: Int = 1, alignment: Alignment = .left) -> TextStyle {
        TextStyle(size: font.size * scale, weight: font.weight, maxWidth: width.map { max(1, whole($0)) }, maxLines: lines,
                  alignment: alignment == .center ? .center : .leading, tabularDigits: font.tabular)
    }

    func label(_ string: String, _ font: Font, width: Double? = nil, lines: Int = 1, alignment: Alignment = .left) -> Label {
        painter.label(string, style(font, width: width, lines: lines, alignment: alignment))
    }

    func width(_ string: String, _ font: Font) -> Double { Double(label(string, font).width) / scale }

    /// Draws `string` with its first baseline at `baseline`, in the column from `x` of `width`.
    /// - Returns: the width it took, points.
    @discardableResult
    func text(_ part: String, _ string: String, _ font: Font, _ color: Color, x: Double, baseline: Double, width: Double, align: Alignment = .left, lines: Int = 1,
              in place: Place, z: Int32 = 2) -> Double {
        guard width > 0, !string.isEmpty else { return 0 }
        let label = label(string, font, width: width, lines: lines, alignment: align)
        guard let ink = label.image else { return 0 }
        let slack = Double(whole(width) - label.width)
        let left = Double(pixels(x)) + (align == .left ? 0 : align == .center ? (slack / 2).rounded() : slack)
        let key = "\(place.key)/\(part)"
        layers.append(SceneLayer(id: identifiers.id(key), parent: place.layer, order: z, x: Float(left) + Float(label.inkX),
                                 y: pixels(baseline) - Float(label.baseline) + Float(label.inkY), width: Float(ink.width), height: Float(ink.height), content: .image(ink, tint: color)))
        return Double(label.width) / scale
    }

    // MARK: Elements

    /// Records an element at `rect` of `place`.
    func element(_ key: String, _ rect: Rect, in place: Place, _ configure: (inout Element) -> Void) {
        guard isInteractive else { return }
        var element = Element(key: key, frame: rect.moved(place.x, place.y), scrolls: place.scrolls)
        element.layer = place.layer
        element.local = rect
        element.identifier = key
        configure(&element)
        elements.append(element)
    }

    /// The ground of the focused or pressed element.
    func highlight(_ element: Element, pressed: Bool, ring: Bool) {
        let outset = !ring ? 0 : element.isProminent ? 2.0 : 1
        let place = Place(layer: element.layer, key: "focus\(element.layer)", x: 0, y: 0)
        layer("ground", element.local.inset(-outset), in: place, z: 1, content: .solid(element.isProminent && ring ? palette.highlight.alpha(0) : pressed ? palette.highlight.alpha(Double(palette.highlight.alpha) / 255 * 1.5) : palette.highlight),
              radius: element.cornerRadius + outset) {
            if ring { $0.border = .init(width: self.pixels(3), color: element.isProminent ? self.palette.text : self.palette.ring) }
        }
    }
}
