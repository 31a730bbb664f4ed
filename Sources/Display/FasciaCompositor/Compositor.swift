import FasciaScene

/// Paints stacked scenes into one framebuffer, only where something changed. No clock and no I/O of its own: `now` is given,
/// nanoseconds of any monotonic clock, never going back.
public final class Compositor {
    /// Time between the frames of an animation, nanoseconds (60 Hz).
    public static let frameInterval: UInt64 = 16_666_667

    /// Of the screen, pixels.
    public let width: Int
    public let height: Int
    /// Bottom first. A scene that is exchanged damages only what looks different.
    public var scenes: [LayerScene]

    private let framebuffer: Pixmap
    private let canvas: Canvas
    private var tracker = DamageTracker()
    private var items: [DrawItem] = []
    private var lastComposed: UInt64?

    /// `width`, `height`: pixels, 1 to 16,384 each (values outside are brought inside).
    public init(width: Int, height: Int, scenes: [LayerScene] = []) {
        self.width = max(1, min(16_384, width))
        self.height = max(1, min(16_384, height))
        self.scenes = scenes
        framebuffer = Pixmap(width: self.width, height: self.height, format: .premultiplied)
        canvas = Canvas(target: framebuffer, masks: CornerMasks())
    }

    /// The whole screen.
    public var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// Blue, green, red, alpha (always 255), rows tightly packed from the top. Valid until the next `compose`.
    public var pixels: UnsafeRawBufferPointer { UnsafeRawBufferPointer(framebuffer.bytes) }

    /// A copy of `pixels`.
    public func snapshot() -> [UInt8] { Array(pixels) }

    /// The next `compose` paints everything.
    public func invalidate() { tracker.everything = true }

    /// Brings the framebuffer up to `now`.
    /// - Returns: rectangles that changed, none overlapping another; empty when the picture is the same.
    @discardableResult
    public func compose(at now: UInt64) -> [PixelRect] {
        items.removeAll(keepingCapacity: true)
        for (index, scene) in scenes.enumerated() {
            let time = scene.frozenAt ?? now
            scene.tree.startAnimations(at: time)
            scene.tree.flatten(into: &items, scene: index, screen: bounds, now: time)
        }
        let damage = tracker.damage(showing: items, screen: bounds)
        for area in damage { paint(area) }
        lastComposed = now
        return damage
    }

    /// When to call `compose` next although nothing arrives; nil when nothing moves. Never before `now`.
    public func nextFrameDeadline(now: UInt64) -> UInt64? {
        var earliest: UInt64?
        for scene in scenes where scene.frozenAt == nil {
            guard let next = scene.tree.nextChange(after: lastComposed ?? now, frameInterval: Self.frameInterval) else { continue }
            earliest = min(earliest ?? next, next)
        }
        return earliest.map { max($0, now) }
    }

    private func paint(_ area: PixelRect) {
        var first = items.startIndex
        if let covering = items.lastIndex(where: { $0.isOpaque && $0.visible.contains(area) }) {
            first = covering
        } else {
            canvas.fill(Color(0, 0, 0), area)
        }
        for item in items[first...] { canvas.draw(item, in: area) }
    }
}

extension Compositor {
    /// One frame as a picture, for screenshots and tests: blue, green, red, alpha (255), rows tightly packed.
    /// `now` is the time since its animations began, nanoseconds.
    public static func render(_ frame: SceneFrame, width: Int, height: Int, now: UInt64 = 0) throws(DisplayError) -> [UInt8] {
        let scene = LayerScene()
        try scene.show(frame)
        let compositor = Compositor(width: width, height: height, scenes: [scene])
        compositor.compose(at: 0)
        if now > 0 { compositor.compose(at: now) }
        return compositor.snapshot()
    }
}
