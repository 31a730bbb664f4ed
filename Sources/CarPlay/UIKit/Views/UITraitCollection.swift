import FasciaAppRuntime

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }
public enum UIUserInterfaceIdiom: Int, Sendable { case unspecified = -1, phone, pad, tv, carPlay, mac = 5, vision }
public enum UIUserInterfaceSizeClass: Int, Sendable { case unspecified, compact, regular }
public enum UITraitEnvironmentLayoutDirection: Int, Sendable { case unspecified = -1, leftToRight, rightToLeft }

/// What a screen is like. Values, not live: ask again after a change.
open class UITraitCollection: NSObject, @unchecked Sendable {
    public let userInterfaceStyle: UIUserInterfaceStyle
    public let userInterfaceIdiom: UIUserInterfaceIdiom
    /// Pixels a point; 0 is unspecified.
    public let displayScale: CGFloat
    public let horizontalSizeClass: UIUserInterfaceSizeClass
    public let verticalSizeClass: UIUserInterfaceSizeClass

    package init(style: UIUserInterfaceStyle, idiom: UIUserInterfaceIdiom, scale: CGFloat) {
        userInterfaceStyle = style
        userInterfaceIdiom = idiom
        displayScale = scale
        horizontalSizeClass = .unspecified
        verticalSizeClass = .unspecified
        super.init()
    }

    public override convenience init() { self.init(style: .unspecified, idiom: .unspecified, scale: 0) }
    public convenience init(userInterfaceStyle: UIUserInterfaceStyle) { self.init(style: userInterfaceStyle, idiom: .unspecified, scale: 0) }
    public convenience init(displayScale: CGFloat) { self.init(style: .unspecified, idiom: .unspecified, scale: displayScale) }
    public convenience init(userInterfaceIdiom: UIUserInterfaceIdiom) { self.init(style: .unspecified, idiom: userInterfaceIdiom, scale: 0) }

    public convenience init(traitsFrom collections: [UITraitCollection]) {
        self.init(
            style: collections.last { $0.userInterfaceStyle != .unspecified }?.userInterfaceStyle ?? .unspecified,
            idiom: collections.last { $0.userInterfaceIdiom != .unspecified }?.userInterfaceIdiom ?? .unspecified,
            scale: collections.last { $0.displayScale > 0 }?.displayScale ?? 0)
    }

    /// The car screen's traits.
    @MainActor
    package static var car: UITraitCollection {
        let traits = AppSession.shared.traits
        return UITraitCollection(style: traits.dark ? .dark : .light, idiom: .carPlay, scale: CGFloat(traits.scale))
    }

    @preconcurrency @MainActor
    public static var current: UITraitCollection { car }
}
