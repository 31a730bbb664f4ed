import FasciaScene

/// What one screen's layer tree and resources may take. Exceeding a limit is the peer's error, see `DisplayError`.
public struct DisplayLimits: Sendable, Hashable {
    /// Layers of one tree.
    public var layers = 4_096
    /// Parents above a layer.
    public var depth = 32
    /// Animations of one layer.
    public var animationsPerLayer = 16
    /// Positions, sizes, scroll offsets: largest absolute value, pixels.
    public var coordinate: Float = 1_048_576
    /// Longer side of one resource, pixels.
    public var resourceSide = 4_096
    /// Budget for all resources kept at a time (spec 10.2), including released ones that are still on the screen, bytes.
    public var resourceBytes = 32 << 20

    /// Size of the screen, pixels; what a layer can paint is no more.
    public var screenWidth = 16_384
    public var screenHeight = 16_384
    /// Most that all layers paint, in screens (MAX_OVERDRAW).
    public var overdraw = DrawnArea.maximumOverdraw

    public init() {}

    /// For a screen of this size: room for eight full screens of pixels, at least 16 MiB.
    public init(screenWidth: Int, screenHeight: Int) {
        self.screenWidth = screenWidth
        self.screenHeight = screenHeight
        resourceBytes = max(16 << 20, 8 * 4 * screenWidth * screenHeight)
    }
}
