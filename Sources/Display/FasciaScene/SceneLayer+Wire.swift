import FasciaWire

extension SceneLayer {
    /// The layer as it crosses the link; `resource` gives the id of a picture that was sent before.
    public func wire(resource: (RasterImage) -> UInt32) -> Layer {
        var layer = Layer()
        layer.id = id
        layer.parent = parent
        layer.order = order
        layer.x = x
        layer.y = y
        layer.width = width
        layer.height = height
        layer.transparency = 1 - opacity
        layer.clip = clip
        layer.scrollX = scrollX
        layer.scrollY = scrollY
        layer.cornerRadius = cornerRadius
        layer.rotation = rotation
        switch content {
        case .none: break
        case .solid(let color): layer.solid = color.rgba
        case .image(let image, let tint):
            layer.image.resource = resource(image)
            if let tint { layer.image.tint = tint.rgba }
        case .gradient(let top, let bottom):
            layer.gradient.top = top.rgba
            layer.gradient.bottom = bottom.rgba
        }
        if let border {
            layer.border.width = border.width
            layer.border.color = border.color.rgba
        }
        layer.animations = animations.map(\.wire)
        return layer
    }

    var image: RasterImage? {
        if case .image(let image, _) = content { image } else { nil }
    }
}

extension SceneLayer.Animation {
    var wire: FasciaWire.Animation {
        var animation = FasciaWire.Animation()
        animation.id = id
        animation.property = property
        animation.from = from
        animation.to = to
        animation.durationMs = milliseconds
        animation.curve = curve
        animation.repeats = repeats
        return animation
    }
}
