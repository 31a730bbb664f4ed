import FasciaWire

/// The drawing budget (spec D-14): what layers may cost to paint, whatever lies over them and wherever they move. Both ends count
/// the same: the head unit refuses what is above, the phone does not send it.
public enum DrawnArea {
    /// Screens that all layers together may cover (MAX_OVERDRAW).
    public static let maximumOverdraw = 64

    /// Most pixels a layer with content or a border can cover: no side longer than the screen's, the width the largest it is animated to, and
    /// both sides their sum when it is turned.
    public static func of(width: Float, height: Float, rotation: Float, animations: [SceneLayer.Animation], screenWidth: Int, screenHeight: Int) -> Int {
        var width = width
        for animation in animations where animation.property == .width { width = max(width, animation.from, animation.to) }
        let turns = rotation != 0 || animations.contains { $0.property == .rotation }
        let sides = turns ? (width + height, width + height) : (width, height)
        return pixels(sides.0, screenWidth) * pixels(sides.1, screenHeight)
    }

    private static func pixels(_ side: Float, _ screen: Int) -> Int { side < Float(screen) ? Int(side.rounded(.up)) : screen }
}

extension SceneFrame {
    /// What its layers cover on a screen of this size, in pixels.
    public func drawnArea(screenWidth: Int, screenHeight: Int) -> Int {
        layers.reduce(0) { sum, layer in
            if case .none = layer.content, layer.border == nil { return sum }
            return sum + DrawnArea.of(width: layer.width, height: layer.height, rotation: layer.rotation, animations: layer.animations,
                                      screenWidth: screenWidth, screenHeight: screenHeight)
        }
    }
}
