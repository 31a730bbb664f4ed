import CZstd
import FasciaScene

/// A 0x1001 body taken apart, big-endian:
///
///     | id u32 | format u8 | compression u8 | 0 u16 | width u16 | height u16 | raw length u32 | hash 16 bytes | data
struct EncodedResource {
    static let headerLength = 32
    enum Compression: UInt8 { case none = 0, zstd = 1 }

    let id: UInt32
    let format: RasterImage.Format
    let compression: Compression
    let width: Int
    let height: Int
    let rawLength: Int
    let hash: ContentHash
    let data: ArraySlice<UInt8>

    init(_ body: [UInt8]) throws(DisplayError) {
        guard body.count >= Self.headerLength else {
            throw DisplayError(.malformedResource, "\(body.count) bytes, the header alone has \(Self.headerLength)")
        }
        func integer(_ at: Int, _ length: Int) -> UInt64 { body[at..<at + length].reduce(0) { $0 << 8 | UInt64($1) } }
        id = UInt32(integer(0, 4))
        guard id != 0 else { throw DisplayError(.zeroIdentifier, "resource id 0") }
        guard let format = RasterImage.Format(rawValue: body[4]) else { throw DisplayError(.unknownFormat, "resource \(id): pixel format \(body[4])") }
        guard let compression = Compression(rawValue: body[5]) else { throw DisplayError(.unknownFormat, "resource \(id): compression \(body[5])") }
        guard integer(6, 2) == 0 else { throw DisplayError(.malformedResource, "resource \(id): reserved bits set") }
        self.format = format
        self.compression = compression
        width = Int(integer(8, 2))
        height = Int(integer(10, 2))
        rawLength = Int(integer(12, 4))
        hash = ContentHash(high: integer(16, 8), low: integer(24, 8))
        data = body[Self.headerLength...]
    }

    /// Nothing is allocated before the claimed size passed every limit.
    func decode(limits: DisplayLimits, bytesInUse: Int) throws(DisplayError) -> RasterImage {
        guard (1...limits.resourceSide).contains(width), (1...limits.resourceSide).contains(height) else {
            throw DisplayError(.badDimensions, "resource \(id): \(width)x\(height), sides are 1 to \(limits.resourceSide)")
        }
        let expected = width * height * format.bytesPerPixel
        guard rawLength == expected else {
            throw DisplayError(.lengthMismatch, "resource \(id): says \(rawLength) bytes, \(width)x\(height) \(format) has \(expected)")
        }
        guard bytesInUse + expected <= limits.resourceBytes else {
            throw DisplayError(.overBudget, "resource \(id): \(expected) bytes on top of \(bytesInUse), the budget is \(limits.resourceBytes)")
        }
        let pixels = try rawPixels()
        guard let image = RasterImage(format: format, width: width, height: height, pixels: pixels) else {
            throw DisplayError(.lengthMismatch, "resource \(id): \(pixels.count) bytes instead of \(expected)")
        }
        guard image.hash == hash else { throw DisplayError(.hashMismatch, "resource \(id): content hash differs from its header") }
        return image
    }

    private func rawPixels() throws(DisplayError) -> [UInt8] {
        switch compression {
        case .none:
            guard data.count == rawLength else {
                throw DisplayError(.lengthMismatch, "resource \(id): \(data.count) bytes came, its header says \(rawLength)")
            }
            return Array(data)
        case .zstd:
            // The output buffer is the limit: a bomb stops with "destination too small" whatever its frame header claims.
            var failure: String?
            let pixels = [UInt8](unsafeUninitializedCapacity: rawLength) { buffer, count in
                let written = data.withUnsafeBytes { ZSTD_decompress(buffer.baseAddress, rawLength, $0.baseAddress, $0.count) }
                if ZSTD_isError(written) != 0 {
                    failure = String(cString: ZSTD_getErrorName(written))
                } else if written != rawLength {
                    failure = "\(written) bytes instead of \(rawLength)"
                } else {
                    count = written
                }
            }
            if let failure { throw DisplayError(.decompressionFailed, "resource \(id): \(failure)") }
            return pixels
        }
    }
}
