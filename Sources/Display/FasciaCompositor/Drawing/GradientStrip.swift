import CPixman
import FasciaScene

/// A gradient as a picture of eight columns that repeats sideways. Rounded to whole bytes, a dark gradient over a screen is some twenty
/// bands whose channels step in different rows: grey, violet, green. An ordered dither, fixed to the screen so that a part painted again
/// is the same, hides them; no byte is off by as much as one.
struct GradientStrip {
    static let columns = 8

    let pixmap: Pixmap
    /// The screen row of the first row.
    let top: Int

    /// The rows `rows` of a gradient that fills `frame`.
    init(_ first: Color, _ last: Color, opacity: UInt8, frame: PixelRect, rows: Range<Int>) {
        top = rows.lowerBound
        let isOpaque = first.alpha == 255 && last.alpha == 255 && opacity == 255
        pixmap = Pixmap(width: Self.columns, height: max(1, rows.count), format: isOpaque ? .opaque : .premultiplied)
        if let image = pixmap.image { pixman_image_set_repeat(image, PIXMAN_REPEAT_NORMAL) }
        func ramp(_ a: UInt8, _ b: UInt8) -> (from: Float, step: Float) { (Float(a), (Float(b) - Float(a)) / Float(max(1, frame.height))) }
        let (red, green, blue, alpha) = (ramp(first.red, last.red), ramp(first.green, last.green), ramp(first.blue, last.blue), ramp(first.alpha, last.alpha))
        for y in rows {
            let place = Float(y - frame.top) + 0.5
            for x in 0..<Self.columns {
                let threshold = Self.threshold(x, y)
                func byte(_ ramp: (from: Float, step: Float)) -> UInt32 { UInt32(max(0, min(255, ramp.from + ramp.step * place + threshold))) }
                let cover = isOpaque ? 255 : (byte(alpha) * UInt32(opacity) + 127) / 255
                func premultiplied(_ value: UInt32) -> UInt32 { (value * cover + 127) / 255 }
                let pixel = cover << 24 | premultiplied(byte(red)) << 16 | premultiplied(byte(green)) << 8 | premultiplied(byte(blue))
                pixmap.bytes.storeBytes(of: pixel, toByteOffset: (y - top) * pixmap.stride + x * 4, as: UInt32.self)
            }
        }
    }

    /// The strip's column for the screen column `x`.
    static func column(_ x: Int) -> Int { x & (columns - 1) }

    /// Bayer's 8 x 8 matrix, 1/128 to 127/128.
    private static func threshold(_ x: Int, _ y: Int) -> Float {
        let mixed = x ^ y
        var value = 0
        for bit in 0..<3 { value |= ((mixed >> bit & 1) << 1 | (y >> bit & 1)) << (2 * (2 - bit)) }
        return (Float(value) + 0.5) / 64
    }
}
