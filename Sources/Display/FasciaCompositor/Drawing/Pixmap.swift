import CPixman

/// Owned pixels and their pixman image.
final class Pixmap {
    enum Format {
        /// Coverage, one byte a pixel.
        case mask
        /// Blue, green, red, alpha in memory; premultiplied.
        case premultiplied
        /// As premultiplied, every alpha 255: pixman may copy instead of blending.
        case opaque

        var code: pixman_format_code_t {
            switch self {
            case .mask: PIXMAN_a8
            case .premultiplied: PIXMAN_a8r8g8b8
            case .opaque: PIXMAN_x8r8g8b8
            }
        }
        var bytesPerPixel: Int { self == .mask ? 1 : 4 }
    }

    let width: Int
    let height: Int
    /// Bytes from one row to the next.
    let stride: Int
    let bytes: UnsafeMutableRawBufferPointer
    /// Nil only when pixman is out of memory; everything drawn with it is left out then.
    let image: OpaquePointer?
    var byteCount: Int { bytes.count }
    var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// All bytes 0. `width` and `height` at least 1.
    init(width: Int, height: Int, format: Format) {
        self.width = width
        self.height = height
        stride = (width * format.bytesPerPixel + 3) & ~3
        bytes = .allocate(byteCount: stride * height, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        image = pixman_image_create_bits(format.code, Int32(width), Int32(height), bytes.baseAddress?.assumingMemoryBound(to: UInt32.self), Int32(stride))
    }

    deinit {
        if let image { pixman_image_unref(image) }
        bytes.deallocate()
    }

    /// `pixels`: rows tightly packed, exactly `width * height * bytesPerPixel` bytes.
    func copyRows(from pixels: [UInt8], bytesPerPixel: Int) {
        let row = width * bytesPerPixel
        guard pixels.count >= row * height else { return }
        pixels.withUnsafeBytes { source in
            for y in 0..<height {
                UnsafeMutableRawBufferPointer(rebasing: bytes[(y * stride)..<(y * stride + row)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[(y * row)..<((y + 1) * row)]))
            }
        }
    }
}
