import FasciaScene
import FasciaWire

/// One layer, checked: every number finite and within `DisplayLimits`, its picture found.
struct LayerProperties {
    enum Content {
        case none
        case solid(Color)
        case image(StoredImage, tint: Color)
        case gradient(top: Color, bottom: Color)
    }

    var id: UInt32
    var parent: UInt32
    var order: Int32
    var x: Float
    var y: Float
    var width: Float
    var height: Float
    var opacity: Float
    var clip: Bool
    var scrollX: Float
    var scrollY: Float
    var cornerRadius: Float
    var rotation: Float
    var content: Content
    var border: SceneLayer.Border?
    var animations: [SceneLayer.Animation]
}

extension LayerProperties {
    /// From the wire.
    init(_ layer: Layer, resources: ResourceStore, limits: DisplayLimits) throws(DisplayError) {
        let content: Content
        switch layer.content {
        case nil: content = .none
        case .solid(let rgba): content = .solid(Color(rgba: rgba))
        case .gradient(let gradient): content = .gradient(top: Color(rgba: gradient.top), bottom: Color(rgba: gradient.bottom))
        case .image(let image):
            guard let stored = resources[image.resource] else {
                throw DisplayError(.unknownResource, "layer \(layer.id) shows resource \(image.resource)")
            }
            content = .image(stored, tint: Color(rgba: image.tint))
        }
        self.init(id: layer.id, parent: layer.parent, order: layer.order, x: layer.x, y: layer.y, width: layer.width, height: layer.height,
                  opacity: 1 - layer.transparency, clip: layer.clip, scrollX: layer.scrollX, scrollY: layer.scrollY,
                  cornerRadius: layer.cornerRadius, rotation: layer.rotation, content: content,
                  border: layer.hasBorder ? .init(width: layer.border.width, color: Color(rgba: layer.border.color)) : nil,
                  animations: layer.animations.map {
                      .init(id: $0.id, property: $0.property, from: $0.from, to: $0.to, milliseconds: $0.durationMs, curve: $0.curve, repeats: $0.repeats)
                  })
        try check(limits)
    }

    /// From a frame of this process.
    init(_ layer: SceneLayer, image: (RasterImage) -> StoredImage, limits: DisplayLimits) throws(DisplayError) {
        let content: Content =
            switch layer.content {
            case .none: .none
            case .solid(let color): .solid(color)
            case .gradient(let top, let bottom): .gradient(top: top, bottom: bottom)
            case .image(let raster, let tint): .image(image(raster), tint: tint ?? Color(rgba: 0))
            }
        self.init(id: layer.id, parent: layer.parent, order: layer.order, x: layer.x, y: layer.y, width: layer.width, height: layer.height,
                  opacity: layer.opacity, clip: layer.clip, scrollX: layer.scrollX, scrollY: layer.scrollY,
                  cornerRadius: layer.cornerRadius, rotation: layer.rotation, content: content, border: layer.border,
                  animations: layer.animations)
        try check(limits)
    }

    private mutating func check(_ limits: DisplayLimits) throws(DisplayError) {
        guard id != 0 else { throw DisplayError(.zeroIdentifier, "layer id 0") }
        guard animations.count <= limits.animationsPerLayer else {
            throw DisplayError(.tooManyAnimations, "layer \(id) has \(animations.count), at most \(limits.animationsPerLayer)")
        }
        let numbers: [(StaticString, Float)] = [
            ("x", x), ("y", y), ("width", width), ("height", height), ("scroll_x", scrollX), ("scroll_y", scrollY), ("corner_radius", cornerRadius),
            ("rotation", rotation), ("border.width", border?.width ?? 0),
        ]
        for (name, value) in numbers { try check(name, value, limits) }
        guard opacity.isFinite else { throw DisplayError(.notFinite, "layer \(id): transparency") }
        guard width >= 0, height >= 0 else { throw DisplayError(.outOfRange, "layer \(id): size \(width)x\(height)") }
        for animation in animations {
            try check("animation.from", animation.from, limits)
            try check("animation.to", animation.to, limits)
        }
        opacity = max(0, min(1, opacity))
        cornerRadius = max(0, cornerRadius)
    }

    /// Of the drawing budget (spec D-14), pixels.
    func drawnArea(_ limits: DisplayLimits) -> Int {
        if case .none = content, border == nil { return 0 }
        return DrawnArea.of(width: width, height: height, rotation: rotation, animations: animations, screenWidth: limits.screenWidth, screenHeight: limits.screenHeight)
    }

    private func check(_ name: StaticString, _ value: Float, _ limits: DisplayLimits) throws(DisplayError) {
        guard value.isFinite else { throw DisplayError(.notFinite, "layer \(id): \(name)") }
        guard abs(value) <= limits.coordinate else { throw DisplayError(.outOfRange, "layer \(id): \(name) \(value)") }
    }
}
