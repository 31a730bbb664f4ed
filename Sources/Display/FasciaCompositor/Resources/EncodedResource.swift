import CZstd
import FasciaScene
import FasciaWire

/// A 0x1001 body taken apart (`ResourceHeader` has the layout).
struct EncodedResource {
    let id: UInt32
    let format: RasterImage.Format
    let compression: ResourceHeader.Compression
    let width: Int
    let height: Int
    let rawLength: Int
    let hash: ContentHash
    let data: ArraySlice<UInt8>

    init(_ body: [UInt8]) throws(DisplayError) {
        let header: ResourceHeader
        do throws(ResourceHeaderError) {
            header = try ResourceHeader(decoding: body)
        } catch { throw DisplayError(error, bytes: body.count) }
        id = header.id
        format = header.format
        compression = header.compression
        width = Int(header.width)
        height = Int(header.height)
        rawLength = header.rawLength
        hash = ContentHash(bytes: header.contentHash)
        data = body[ResourceHeader.size...]
    }

    /// Nothing is allocated before the claimed size passed every limit.
    func decode(limits: DisplayLimits, bytesInUse: Int) throws(DisplayError) -> RasterImage {
        guard (1...limits.resourceSide).contains(width), (1...limits.resourceSide).contains(height) else {
            throw DisplayError(.badDimensions, "resource \(id): \(width)x\(height), sides are 1 to \(limits.resourceSide)")
        }
        let cost = rawLength + ResourceHeader.overhead
        guard bytesInUse + cost <= limits.resourceBytes else {
            throw DisplayError(.overBudget, "resource \(id): \(cost) bytes on top of \(bytesInUse), the budget is \(limits.resourceBytes)")
        }
        let pixels = try rawPixels()
        guard let image = RasterImage(format: format, width: width, height: height, pixels: pixels) else {
            throw DisplayError(.lengthMismatch, "resource \(id): \(pixels.count) bytes instead of \(rawLength)")
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

extension DisplayError {
    fileprivate init(_ error: ResourceHeaderError, bytes: Int) {
        switch error {
        case .truncated: self.init(.malformedResource, "\(bytes) bytes, a resource's header alone has \(ResourceHeader.size)")
        case .unknownFormat(let value): self.init(.unknownFormat, "pixel format \(value)")
        case .unknownCompression(let value): self.init(.unknownFormat, "compression \(value)")
        case .reservedNotZero: self.init(.malformedResource, "reserved bits of a resource are set")
        case .zeroField: self.init(.malformedResource, "a resource's id, width or height is 0")
        case .tooLarge: self.init(.badDimensions, "a resource's side is longer than the protocol allows")
        case .wrongRawLength(let value): self.init(.lengthMismatch, "a resource says \(value) bytes, its size and format make another number")
        case .wrongDataLength: self.init(.lengthMismatch, "a resource's data is not as long as it says")
        }
    }
}
