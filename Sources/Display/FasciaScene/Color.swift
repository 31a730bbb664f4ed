/// A colour as it crosses the link: `0xRRGGBBAA`, sRGB, not premultiplied (spec `Layer.solid`).
public struct Color: Hashable, Sendable {
    /// `0xRRGGBBAA`, not premultiplied.
    public var rgba: UInt32
    public init(rgba: UInt32) { self.rgba = rgba }
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
        rgba = UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha)
    }
    public var red: UInt8 { UInt8(truncatingIfNeeded: rgba >> 24) }
    public var green: UInt8 { UInt8(truncatingIfNeeded: rgba >> 16) }
    public var blue: UInt8 { UInt8(truncatingIfNeeded: rgba >> 8) }
    public var alpha: UInt8 { UInt8(truncatingIfNeeded: rgba) }
    /// The same colour with another alpha, `0` to `1`.
    public func alpha(_ value: Double) -> Color {
        Color(rgba: rgba & 0xFFFF_FF00 | UInt32((max(0, min(1, value)) * 255).rounded()))
    }
}
