import FasciaAppRuntime

/// A colour in sRGB, or one that depends on the appearance.
open class UIColor: NSObject, @unchecked Sendable {
    private struct Components { var red, green, blue, alpha: CGFloat }

    private let fixed: Components
    private let provider: (@Sendable (UITraitCollection) -> UIColor)?

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        fixed = Components(red: red, green: green, blue: blue, alpha: alpha)
        provider = nil
        super.init()
    }

    public init(white: CGFloat, alpha: CGFloat) {
        fixed = Components(red: white, green: white, blue: white, alpha: alpha)
        provider = nil
        super.init()
    }

    public init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        func channel(_ n: CGFloat) -> CGFloat {
            let k = (n + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(k, 4 - k, 1))
        }
        fixed = Components(red: channel(5), green: channel(3), blue: channel(1), alpha: alpha)
        provider = nil
        super.init()
    }

    /// A colour chosen anew for every appearance.
    public init(dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor) {
        let light = dynamicProvider(UITraitCollection(userInterfaceStyle: .light))
        fixed = light.fixed
        provider = dynamicProvider
        super.init()
    }

    /// The colour for one appearance.
    public func resolvedColor(with traitCollection: UITraitCollection) -> UIColor { provider?(traitCollection) ?? self }

    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: fixed.red, green: fixed.green, blue: fixed.blue, alpha: alpha)
    }

    @discardableResult
    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?, blue: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = fixed.red
        green?.pointee = fixed.green
        blue?.pointee = fixed.blue
        alpha?.pointee = fixed.alpha
        return true
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return self === other || (provider == nil && other.provider == nil && rgba == other.rgba)
    }

    open override var hash: Int { Int(rgba) }

    /// 0xRRGGBBAA, as sent to the phone. Out-of-range components are clamped.
    package var rgba: UInt32 {
        func byte(_ value: CGFloat) -> UInt32 { UInt32((min(1, max(0, value.isNaN ? 0 : value)) * 255).rounded()) }
        return byte(fixed.red) << 24 | byte(fixed.green) << 16 | byte(fixed.blue) << 8 | byte(fixed.alpha)
    }
}

extension UIColor {
    private static func rgb(_ value: UInt32) -> UIColor {
        UIColor(red: CGFloat(value >> 16 & 255) / 255, green: CGFloat(value >> 8 & 255) / 255, blue: CGFloat(value & 255) / 255, alpha: 1)
    }

    private static func pair(_ light: UInt32, _ dark: UInt32) -> UIColor {
        let (light, dark) = (rgb(light), rgb(dark))
        return UIColor { $0.userInterfaceStyle == .dark ? dark : light }
    }

    public static let black = UIColor(white: 0, alpha: 1)
    public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
    public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
    public static let white = UIColor(white: 1, alpha: 1)
    public static let gray = UIColor(white: 0.5, alpha: 1)
    public static let red = rgb(0xff0000)
    public static let green = rgb(0x00ff00)
    public static let blue = rgb(0x0000ff)
    public static let cyan = rgb(0x00ffff)
    public static let yellow = rgb(0xffff00)
    public static let magenta = rgb(0xff00ff)
    public static let orange = rgb(0xff8000)
    public static let purple = rgb(0x800080)
    public static let brown = rgb(0x996633)
    public static let clear = UIColor(white: 0, alpha: 0)

    // The platform's adaptive colours, light and dark.
    public static let systemRed = pair(0xff3b30, 0xff453a)
    public static let systemGreen = pair(0x34c759, 0x30d158)
    public static let systemBlue = pair(0x007aff, 0x0a84ff)
    public static let systemOrange = pair(0xff9500, 0xff9f0a)
    public static let systemYellow = pair(0xffcc00, 0xffd60a)
    public static let systemPink = pair(0xff2d55, 0xff375f)
    public static let systemPurple = pair(0xaf52de, 0xbf5af2)
    public static let systemTeal = pair(0x30b0c7, 0x40c8e0)
    public static let systemIndigo = pair(0x5856d6, 0x5e5ce6)
    public static let systemBrown = pair(0xa2845e, 0xac8e68)
    public static let systemMint = pair(0x00c7be, 0x63e6e2)
    public static let systemCyan = pair(0x32ade6, 0x64d2ff)
    public static let systemGray = pair(0x8e8e93, 0x8e8e93)
    public static let systemBackground = pair(0xffffff, 0x000000)
    public static let label = pair(0x000000, 0xffffff)
    public static let secondaryLabel = pair(0x8a8a8e, 0x98989f)
    public static let tintColor = systemBlue
}
