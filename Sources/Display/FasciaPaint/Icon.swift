/// A pictogram of the icon font, or a skip arrow with seconds in it.
public struct Icon: Hashable, Sendable {
    enum Shape: Hashable, Sendable {
        /// A ligature of the Material Icons font.
        case glyph(String)
        /// A round arrow with a number of seconds.
        case skip(seconds: Int, forward: Bool)
        /// Twelve spokes of falling strength.
        case spinner
    }

    let shape: Shape
    /// False when the asked for symbol has no icon here and a neutral one stands for it.
    public let isKnown: Bool

    private init(_ shape: Shape, isKnown: Bool = true) {
        self.shape = shape
        self.isKnown = isKnown
    }

    /// A glyph by its Material Icons name, for example `play_arrow`.
    public init(glyph: String) { self.init(.glyph(glyph)) }

    /// An icon for an SF Symbols name. Variants (`.fill`, `.circle` ...) without an icon of their own get their base symbol's.
    public init(symbolName: String) {
        if let skip = Self.skip(symbolName) { self = skip; return }
        var name = Substring(symbolName)
        while true {
            if let glyph = SymbolNames.glyphs[String(name)] {
                self.init(.glyph(glyph))
                return
            }
            guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { break }
            name = name[..<dot]
        }
        self.init(.glyph(Self.neutral), isKnown: false)
    }

    /// A round arrow with `seconds` in it.
    public static func skip(seconds: Int, forward: Bool) -> Icon { Icon(.skip(seconds: max(1, min(seconds, 99)), forward: forward)) }

    /// Twelve spokes, to be turned in twelve steps clockwise.
    public static let spinner = Icon(.spinner)

    static let neutral = "radio_button_unchecked"

    private static func skip(_ name: String) -> Icon? {
        let parts = name.split(separator: ".")
        guard parts.count == 2, let seconds = Int(parts[1]), parts[0] == "goforward" || parts[0] == "gobackward", seconds > 0 else { return nil }
        return skip(seconds: seconds, forward: parts[0] == "goforward")
    }
}

extension Icon {
    /// Every SF Symbols name with an icon of its own, sorted.
    public static var symbolNames: [String] { SymbolNames.glyphs.keys.sorted() }
}
