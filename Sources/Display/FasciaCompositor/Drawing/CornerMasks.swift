import Glibc

/// Coverage masks of rounded corners, made once per radius. A mask holds a whole rounded square of `2 * box` pixels a side;
/// each corner of a layer uses its quadrant.
final class CornerMasks {
    struct Key: Hashable {
        /// Quarter pixels.
        let radius: Int
        /// Pixels, 0 for a filled corner.
        let border: Int
        let opacity: UInt8
    }

    /// Larger corners (and borders) are cut to this, pixels: a mask is memory.
    static let maximumRadius: Float = 512
    /// Bytes kept; the cache starts afresh above.
    static let maximumBytes = 4 << 20
    private var masks: [Key: Pixmap] = [:]
    private var bytes = 0

    /// Side of one corner in pixels.
    static func box(radius: Float, border: Int) -> Int { max(Int(radius.rounded(.up)), border) }

    func mask(radius: Float, border: Int, opacity: UInt8) -> Pixmap {
        let key = Key(radius: Int((radius * 4).rounded()), border: border, opacity: opacity)
        if let mask = masks[key] { return mask }
        let mask = Self.make(radius: radius, border: Float(border), opacity: opacity, box: Self.box(radius: radius, border: border))
        if bytes + mask.byteCount > Self.maximumBytes {
            masks.removeAll()
            bytes = 0
        }
        bytes += mask.byteCount
        masks[key] = mask
        return mask
    }

    private static func make(radius: Float, border: Float, opacity: UInt8, box: Int) -> Pixmap {
        let mask = Pixmap(width: 2 * box, height: 2 * box, format: .mask)
        for y in 0..<box {
            for x in 0..<box {
                let px = Float(x) + 0.5, py = Float(y) + 0.5
                var coverage = Self.coverage(px, py, radius)
                if border > 0 { coverage *= 1 - Self.coverage(px - border, py - border, max(0, radius - border)) }
                let value = UInt8((coverage * Float(opacity)).rounded())
                for row in [y, 2 * box - 1 - y] {
                    for column in [x, 2 * box - 1 - x] { mask.bytes[row * mask.stride + column] = value }
                }
            }
        }
        return mask
    }

    /// How much of a pixel centred at (x, y) lies inside the corner at the origin: signed distance, half a pixel soft.
    private static func coverage(_ x: Float, _ y: Float, _ radius: Float) -> Float {
        let qx = radius - x, qy = radius - y
        let outside = (max(qx, 0) * max(qx, 0) + max(qy, 0) * max(qy, 0)).squareRoot()
        let distance = outside + min(max(qx, qy), 0) - radius
        return max(0, min(1, 0.5 - distance))
    }
}

/// A frame cut into four corners and the straight rest.
struct RoundedParts {
    /// Where each corner lies, and where in the mask its part starts.
    let corners: [(rect: PixelRect, maskX: Int, maskY: Int)]
    /// Top and bottom between the corners, and the full-width middle.
    let middles: [PixelRect]

    init(_ frame: PixelRect, box: Int) {
        let left = min(box, frame.width - frame.width / 2), right = min(box, frame.width - left)
        let top = min(box, frame.height - frame.height / 2), bottom = min(box, frame.height - top)
        let innerLeft = frame.left + left, innerRight = frame.right - right
        let innerTop = frame.top + top, innerBottom = frame.bottom - bottom
        corners = [
            (PixelRect(left: frame.left, top: frame.top, right: innerLeft, bottom: innerTop), 0, 0),
            (PixelRect(left: innerRight, top: frame.top, right: frame.right, bottom: innerTop), 2 * box - right, 0),
            (PixelRect(left: frame.left, top: innerBottom, right: innerLeft, bottom: frame.bottom), 0, 2 * box - bottom),
            (PixelRect(left: innerRight, top: innerBottom, right: frame.right, bottom: frame.bottom), 2 * box - right, 2 * box - bottom),
        ]
        middles = [
            PixelRect(left: innerLeft, top: frame.top, right: innerRight, bottom: innerTop),
            PixelRect(left: frame.left, top: innerTop, right: frame.right, bottom: innerBottom),
            PixelRect(left: innerLeft, top: innerBottom, right: innerRight, bottom: frame.bottom),
        ]
    }
}
