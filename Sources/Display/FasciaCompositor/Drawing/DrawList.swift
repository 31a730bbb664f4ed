import FasciaScene
import FasciaWire
import Glibc

/// What the children of a layer inherit.
private struct Inherited {
    var originX: Float
    var originY: Float
    var opacity: Float
    var clip: PixelRect
}

extension LayerTree {
    /// Appends what is to be painted at `now`, bottom first.
    func flatten(into items: inout [DrawItem], scene: Int, screen: PixelRect, now: UInt64) {
        let sceneKey = UInt64(scene) << 32
        if background.alpha > 0 {
            items.append(DrawItem(key: sceneKey, frame: screen, visible: screen, opacity: 255, content: .solid(background),
                                  cornerRadius: 0, rotation: 0, borderWidth: 0, borderColor: Color(rgba: 0)))
        }
        var inherited: [Inherited] = []
        inherited.reserveCapacity(drawOrder.count)
        let root = Inherited(originX: 0, originY: 0, opacity: 1, clip: screen)
        for node in drawOrder {
            let parent = node.parentIndex < 0 ? root : inherited[node.parentIndex]
            let layer = node.animations.isEmpty ? node.properties : node.animated(at: now)
            let left = parent.originX + layer.x
            let top = parent.originY + layer.y
            let frame = layer.pixelFrame(left: left, top: top)
            let opacity = parent.opacity * layer.opacity
            let clip = layer.clip ? parent.clip.intersection(frame) : parent.clip
            inherited.append(Inherited(originX: left - layer.scrollX, originY: top - layer.scrollY, opacity: opacity, clip: clip))
            if let item = layer.drawItem(key: sceneKey | UInt64(layer.id), frame: frame, opacity: opacity, clip: clip) { items.append(item) }
        }
    }
}

extension LayerTree.Node {
    /// The properties with the running animations' values in place.
    fileprivate func animated(at now: UInt64) -> LayerProperties {
        var layer = properties
        for running in animations {
            guard let value = running.value(at: now) else { continue }
            switch running.animation.property {
            case .x: layer.x = value
            case .y: layer.y = value
            case .transparency: layer.opacity = max(0, min(1, 1 - value))
            case .rotation: layer.rotation = value
            case .scrollX: layer.scrollX = value
            case .scrollY: layer.scrollY = value
            case .width: layer.width = max(0, value)
            default: break
            }
        }
        return layer
    }
}

extension LayerProperties {
    /// Every edge on a whole pixel, halves up: neighbours meet without a gap. A picture keeps its size wherever it lies, so that text stays sharp.
    fileprivate func pixelFrame(left: Float, top: Float) -> PixelRect {
        func whole(_ value: Float) -> Int { Int((value + 0.5).rounded(.down)) }
        if case .image = content { return PixelRect(x: whole(left), y: whole(top), width: whole(width), height: whole(height)) }
        return PixelRect(left: whole(left), top: whole(top), right: whole(left + width), bottom: whole(top + height))
    }

    fileprivate func drawItem(key: UInt64, frame: PixelRect, opacity: Float, clip: PixelRect) -> DrawItem? {
        let alpha = UInt8((opacity * 255).rounded())
        guard alpha > 0, !frame.isEmpty else { return nil }
        let border = border.flatMap { $0.width > 0 && $0.color.alpha > 0 ? $0 : nil }
        let drawn: DrawItem.Content =
            switch content {
            case .none: .none
            case .solid(let color): color.alpha > 0 ? .solid(color) : .none
            case .image(let image, let tint): .image(image, tint: image.format == .a8 ? tint : Color(rgba: 0))
            case .gradient(let top, let bottom): .gradient(top: top, bottom: bottom)
            }
        if border == nil, drawn == .none { return nil }
        let turn = rotation.truncatingRemainder(dividingBy: 360)
        let visible = (turn == 0 ? frame : frame.rotatedBounds(degrees: turn)).intersection(clip)
        guard !visible.isEmpty else { return nil }
        return DrawItem(key: key, frame: frame, visible: visible, opacity: alpha, content: drawn,
                        cornerRadius: min(cornerRadius, Float(min(frame.width, frame.height)) / 2, CornerMasks.maximumRadius), rotation: turn,
                        borderWidth: border.map { max(1, Int(min($0.width, CornerMasks.maximumRadius).rounded())) } ?? 0, borderColor: border?.color ?? Color(rgba: 0))
    }
}

extension PixelRect {
    /// Smallest rectangle around this one turned about its centre, one pixel wider for the soft edge.
    func rotatedBounds(degrees: Float) -> PixelRect {
        let angle = Double(degrees) * .pi / 180
        let (sine, cosine) = (abs(sin(angle)), abs(cos(angle)))
        let halfWidth = (Double(width) * cosine + Double(height) * sine) / 2 + 1
        let halfHeight = (Double(width) * sine + Double(height) * cosine) / 2 + 1
        let x = Double(left + right) / 2, y = Double(top + bottom) / 2
        return union(PixelRect(left: Int((x - halfWidth).rounded(.down)), top: Int((y - halfHeight).rounded(.down)),
                               right: Int((x + halfWidth).rounded(.up)), bottom: Int((y + halfHeight).rounded(.up))))
    }
}
