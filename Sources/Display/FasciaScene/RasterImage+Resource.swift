import CZstd
import FasciaWire

extension RasterImage {
    /// The body of a Resource message: the header, then the pixels (spec "Resource"). zstd is used where it
    /// makes the body smaller.
    package func resourceBody(id: UInt32, compress: Bool) -> [UInt8] {
        let packed = compress ? Zstd.compress(pixels) : nil
        let header = ResourceHeader(id: id, format: format, compression: packed == nil ? .none : .zstd, width: UInt16(width), height: UInt16(height),
                                    contentHash: hash.bytes)
        return header.encoded + (packed ?? pixels)
    }
}

enum Zstd {
    /// Level 1 is within a few per cent of the size of higher levels on interface pictures, at a third of the time.
    private static let level: Int32 = 1

    /// Nil when the result would not be smaller.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        let bound = ZSTD_compressBound(bytes.count)
        var written = 0
        let packed = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            written = ZSTD_compress(buffer.baseAddress, bound, bytes, bytes.count, level)
            count = ZSTD_isError(written) == 0 ? written : 0
        }
        return packed.isEmpty || packed.count >= bytes.count ? nil : packed
    }
}
