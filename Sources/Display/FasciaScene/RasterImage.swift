import COpenSSL
import FasciaWire

/// An immutable picture of the phone's, known by what is in it. The head unit caches it under a resource id.
public final class RasterImage: Sendable, Hashable {
    public typealias Format = ResourceHeader.Format

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

    /// The first 16 of `bytes`, as in `ResourceHeader.contentHash`; missing ones count as 0.
    public init(bytes: some Sequence<UInt8>) {
        var words = (high: UInt64(0), low: UInt64(0))
        for (index, byte) in bytes.prefix(ResourceHeader.hashSize).enumerated() {
            let shifted = UInt64(byte) << UInt64(56 - index % 8 * 8)
            if index < 8 { words.high |= shifted } else { words.low |= shifted }
        }
        self.init(high: words.high, low: words.low)
    }

    /// 16 bytes, big-endian.
    public var bytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian), Array.init) }

    init(format: RasterImage.Format, width: Int, height: Int, pixels: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        let head: [UInt8] = [format.rawValue, UInt8(width >> 8), UInt8(width & 255), UInt8(height >> 8), UInt8(height & 255)]
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
        EVP_DigestUpdate(context, head, head.count)
        EVP_DigestUpdate(context, pixels, pixels.count)
        EVP_DigestFinal_ex(context, &digest, nil)
        self.init(bytes: digest)
    }
}
