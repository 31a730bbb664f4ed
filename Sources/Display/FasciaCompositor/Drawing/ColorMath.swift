import CPixman
import FasciaScene

extension Color {
    /// The colour with its alpha times `opacity` / 255.
    func multiplied(_ opacity: UInt8) -> Color {
        guard opacity < 255 else { return self }
        return Color(rgba: rgba & 0xFFFF_FF00 | (UInt32(alpha) * UInt32(opacity) + 127) / 255)
    }

    /// Premultiplied, 16 bits a channel.
    var pixman: pixman_color_t {
        let alpha = UInt32(alpha)
        func channel(_ value: UInt8) -> UInt16 { UInt16(UInt32(value) * alpha * 257 / 255) }
        return pixman_color_t(red: channel(red), green: channel(green), blue: channel(blue), alpha: UInt16(alpha * 257))
    }
}
