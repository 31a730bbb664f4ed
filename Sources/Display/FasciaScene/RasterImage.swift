import COpenSSL

/// An immutable picture of the phone's, known by what is in it. The head unit caches it under a resource id.
public final class RasterImage: Sendable, Hashable {
    /// Raw values as in the resource header (spec "Resource").
    public enum Format: UInt8, Sendable {
        /// One coverage byte a pixel, painted in the layer's tint.
        case a8 = 1
        /// Blue, green, red, alpha; colours premultiplied.
        case bgra8 = 2
        /// 1 or 4.
        public var bytesPerPixel: Int { self == .a8 ? 1 : 4 }
    }

    /// What a pixel is.
    public let format: Format
    /// Pixels.
    public let width: Int
    public let height: Int
    /// Rows from the top, tightly packed: `width * height * format.bytesPerPixel` bytes.
    public let pixels: [UInt8]
    /// First 16 bytes of SHA-256 over format, width, height (big-endian 16 bit) and pixels.
    public let hash: ContentHash

    /// Nil when a side is not 1...65,535 or `pixels` has the wrong length.
    public init?(format: Format, width: Int, height: Int, pixels: [UInt8]) {
        guard (1...65_535).contains(width), (1...65_535).contains(height),
              pixels.count == width * height * format.bytesPerPixel else { return nil }
        self.format = format
        self.width = width
        self.height = height
        self.pixels = pixels
        hash = ContentHash(format: format, width: width, height: height, pixels: pixels)
    }

    public static func == (one: RasterImage, other: RasterImage) -> Bool { one === other || one.hash == other.hash }
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// 128 bits of SHA-256.
public struct ContentHash: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(format: RasterImage.Format, width: Int, height: Int, pixels: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        let head: [UInt8] = [format.rawValue, UInt8(width >> 8), UInt8(width & 255), UInt8(height >> 8), UInt8(height & 255)]
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
        EVP_DigestUpdate(context, head, head.count)
        EVP_DigestUpdate(context, pixels, pixels.count)
        EVP_DigestFinal_ex(context, &digest, nil)
        func word(_ at: Int) -> UInt64 { digest[at..<at + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(0), low: word(8))
    }
}
