import FasciaWire

/// Where things are on one screen, in points.
struct Metrics: Equatable {
    enum DockEdge { case left, right, bottom }

    let scale: Double
    let screen: Rect
    let dockEdge: DockEdge
    let dock: Rect
    /// The rest of the screen: pages.
    let stage: Rect
    let barHeight: Double
    let tabBarHeight: Double
    let rowHeight: Double
    let detailRowHeight: Double
    let rowImage: Double
    let margin: Double
    /// High enough for larger type and more air.
    let isRoomy: Bool
    /// Between a row's ground and the stage's edge.
    let rowInset = 6.0

    /// Under icons and pictures, and when a name does not fit.
    var caption: Font { isRoomy ? .largeCaption : .caption }
    var narrowCaption: Font { isRoomy ? .caption : .smallCaption }

    init(_ traits: ScreenTraits) {
        scale = traits.scale.isFinite ? max(0.5, min(8, traits.scale)) : 2
        // Smaller than this nothing can be laid out; what is over is off the screen.
        screen = Rect(0, 0, max(160, Double(traits.width) / scale), max(120, Double(traits.height) / scale))
        let tall = screen.height > screen.width * 1.05
        let roomy = screen.height >= 300
        isRoomy = roomy
        let thickness = roomy ? 68.0 : 58.0
        if tall {
            dockEdge = .bottom
            dock = Rect(0, screen.height - thickness, screen.width, thickness)
            stage = Rect(0, 0, screen.width, screen.height - thickness)
        } else if traits.driverSide == .right {
            dockEdge = .right
            dock = Rect(screen.width - thickness, 0, thickness, screen.height)
            stage = Rect(0, 0, screen.width - thickness, screen.height)
        } else {
            dockEdge = .left
            dock = Rect(0, 0, thickness, screen.height)
            stage = Rect(thickness, 0, screen.width - thickness, screen.height)
        }
        barHeight = roomy ? 52 : 44
        tabBarHeight = roomy ? 58 : 50
        rowHeight = roomy ? 52 : 44
        detailRowHeight = roomy ? 60 : 50
        rowImage = roomy ? 44 : 38
        margin = screen.width >= 600 ? 24 : 16
    }
}
