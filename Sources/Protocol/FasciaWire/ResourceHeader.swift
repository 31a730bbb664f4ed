/// The 32 bytes before the data of a Resource message, 0x1001 (spec/link.md 10.2), big-endian.
/// ```
///  0               1               2               3
/// +---------------------------------------------------------------+
/// |                         resource id (32)                      |
/// +---------------+---------------+-------------------------------+
/// |  format (8)   |compression (8)|         reserved = 0 (16)     |
/// +---------------+---------------+-------------------------------+
/// |      width (16), pixels       |       height (16), pixels     |
/// +-------------------------------+-------------------------------+
/// |              raw length (32), bytes when decompressed         |
/// +---------------------------------------------------------------+
/// |                 content hash (128) of the raw bytes           |
/// +---------------------------------------------------------------+
/// ```
public struct ResourceHeader: Hashable, Sendable {
    /// Pixel layout of the raw bytes, rows top to bottom, without padding.
    public enum Format: UInt8, Hashable, Sendable, CaseIterable {
        /// One byte of coverage a pixel; the layer's tint is its colour.
        case a8 = 1
        /// Blue, green, red, alpha; premultiplied, sRGB.
        case bgra8 = 2

        public var bytesPerPixel: Int { self == .a8 ? 1 : 4 }
    }

    public enum Compression: UInt8, Hashable, Sendable, CaseIterable {
        case none = 0
        case zstd = 1
    }

    /// Most pixels of a side.
    public static let maxSide = 4_096
    /// Bytes of the header.
    public static let size = 32
    /// What a resource costs of the budget beside its raw length (RESOURCE_OVERHEAD), so that their number is bounded too.
    public static let overhead = 256
    /// Bytes of the content hash.
    public static let hashSize = 16

    /// Not 0; never used twice in a session.
    public var id: UInt32
    public var format: Format
    public var compression: Compression
    /// Pixels, 1 to `maxSide`.
    public var width: UInt16
    /// Pixels, 1 to `maxSide`.
    public var height: UInt16
    /// `hashSize` bytes; equal content has equal hashes.
    public var contentHash: [UInt8]

    /// Bytes of the decompressed data: follows from the size and the format.
    public var rawLength: Int { Int(width) * Int(height) * format.bytesPerPixel }

    /// - Parameter contentHash: cut or filled with zeros to `hashSize` bytes.
    public init(id: UInt32, format: Format, compression: Compression, width: UInt16, height: UInt16, contentHash: [UInt8]) {
        self.id = id
        self.format = format
        self.compression = compression
        self.width = width
        self.height = height
        self.contentHash = Array((contentHash + [UInt8](repeating: 0, count: Self.hashSize)).prefix(Self.hashSize))
    }
}

/// Why the start of a Resource message is not a valid header.
public enum ResourceHeaderError: Error, Hashable, Sendable {
    case truncated
    case unknownFormat(UInt8)
    case unknownCompression(UInt8)
    case reservedNotZero
    /// The id, the width or the height is 0.
    case zeroField
    /// A side is longer than `ResourceHeader.maxSide`.
    case tooLarge
    /// The raw length is not width x height x bytes per pixel.
    case wrongRawLength(UInt32)
    /// Uncompressed data is not as long as the raw length says.
    case wrongDataLength
}

extension ResourceHeader {
    /// Decodes and checks the header at the start of a message body.
    /// The data is `body[ResourceHeader.size...]`; decompressed it must have exactly `rawLength` bytes.
    public init(decoding body: some RandomAccessCollection<UInt8>) throws(ResourceHeaderError) {
        guard body.count >= Self.size else { throw .truncated }
        func byte(_ offset: Int) -> UInt8 { body[body.index(body.startIndex, offsetBy: offset)] }
        func number(_ offset: Int, _ count: Int) -> UInt32 { (0..<count).reduce(0) { $0 << 8 | UInt32(byte(offset + $1)) } }
        guard let format = Format(rawValue: byte(4)) else { throw .unknownFormat(byte(4)) }
        guard let compression = Compression(rawValue: byte(5)) else { throw .unknownCompression(byte(5)) }
        if number(6, 2) != 0 { throw .reservedNotZero }
        self.init(
            id: number(0, 4), format: format, compression: compression, width: UInt16(truncatingIfNeeded: number(8, 2)),
            height: UInt16(truncatingIfNeeded: number(10, 2)), contentHash: (16..<Self.size).map(byte))
        if id == 0 || width == 0 || height == 0 { throw .zeroField }
        if width > Self.maxSide || height > Self.maxSide { throw .tooLarge }
        if Int(number(12, 4)) != rawLength { throw .wrongRawLength(number(12, 4)) }
        if compression == .none && body.count - Self.size != rawLength { throw .wrongDataLength }
    }

    /// The header as `size` bytes.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        func put(_ value: UInt32, _ count: Int) {
            for shift in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift)))) }
        }
        put(id, 4)
        put(UInt32(format.rawValue), 1)
        put(UInt32(compression.rawValue), 1)
        put(0, 2)
        put(UInt32(width), 2)
        put(UInt32(height), 2)
        put(UInt32(truncatingIfNeeded: rawLength), 4)
        return bytes + contentHash
    }
}
