/// The eight bytes before every payload (spec: Frame layout), big-endian.
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// +-----------------------------------------------+---------------+
/// |                  length (24)                  |   type (8)    |
/// +---------------+---------------+---------------+---------------+
/// |   flags (8)   | reserved = 0  |         channel (16)          |
/// +---------------+---------------+-------------------------------+
/// ```
@frozen
public struct FrameHeader: Hashable, Sendable {
    /// The header as one big-endian number: length in the high bits, channel in the low ones.
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// - Parameter length: payload bytes; only the low 24 bits are kept.
    @inlinable
    public init(length: Int, type: FrameType, flags: FrameFlags = [], channel: UInt16) {
        let high = UInt64(truncatingIfNeeded: length & 0xFF_FFFF) << 40 | UInt64(type.rawValue) << 32
        self.rawValue = high | UInt64(flags.rawValue) << 24 | UInt64(channel)
    }

    /// Payload bytes.
    @inlinable
    public var length: Int { Int(truncatingIfNeeded: rawValue >> 40) }
    @inlinable
    public var type: FrameType { FrameType(rawValue: UInt8(truncatingIfNeeded: rawValue >> 32)) }
    @inlinable
    public var flags: FrameFlags { FrameFlags(rawValue: UInt8(truncatingIfNeeded: rawValue >> 24)) }
    @inlinable
    public var reserved: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }
    @inlinable
    public var channel: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// Whether this is a fragment of a message.
    @inlinable
    public var isMessage: Bool { type.rawValue == FrameType.message.rawValue }
}

extension FrameHeader {
    /// Reads the header at `offset`; the caller made sure that eight bytes are there.
    @inlinable
    static func load(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> FrameHeader {
        FrameHeader(rawValue: UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }

    /// The header as bytes.
    public var bytes: [UInt8] {
        (0..<FramingLimits.headerSize).map { UInt8(truncatingIfNeeded: rawValue >> (56 - 8 * UInt64($0))) }
    }
}

extension FrameHeader {
    /// Every check that needs only the header, or nil when the frame may go on.
    /// - Parameter maxPayload: the limit in force for this receiver, in bytes.
    @inlinable
    public func violation(maxPayload: Int) -> FramingError.Rule? {
        if reserved != 0 { return .reservedNotZero }
        if length > maxPayload { return .frameTooLarge }
        if isMessage {
            // A first fragment holds the whole message type, any other at least a byte.
            if flags.rawValue & ~FrameFlags.whole.rawValue != 0 { return .unknownFlags }
            return length > Int(flags.rawValue & 1) ? nil : .fragmentTooShort
        }
        return controlViolation
    }

    @usableFromInline
    var controlViolation: FramingError.Rule? {
        switch type {
        case .credit:
            if !flags.isEmpty { return .unknownFlags }
            return length == FramingLimits.creditPayload ? nil : .wrongLength
        case .probe:
            if !flags.subtracting(.ack).isEmpty { return .unknownFlags }
            // Whether an answer may carry a clock on this connection is for the layer above.
            if length != FramingLimits.probePayload, !(flags == .ack && length == FramingLimits.clockPayload) { return .wrongLength }
            return channel == 0 ? nil : .wrongChannel
        case .close:
            if !flags.isEmpty { return .unknownFlags }
            let lengths = FramingLimits.closeCodeSize...FramingLimits.closeCodeSize + FramingLimits.maxCloseDetail
            if !lengths.contains(length) { return .wrongLength }
            return channel == 0 ? nil : .wrongChannel
        default:
            return nil // unknown types are skipped, whatever their flags
        }
    }
}
