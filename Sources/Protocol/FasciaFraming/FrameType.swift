/// The `type` byte of a frame header (spec: Frame types).
@frozen
public struct FrameType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A fragment of a message.
    public static var message: FrameType { FrameType(rawValue: 0x01) }
    /// More credit for a channel: u32 bytes.
    public static var credit: FrameType { FrameType(rawValue: 0x02) }
    /// Eight opaque bytes, sent back with `FrameFlags.ack`.
    public static var probe: FrameType { FrameType(rawValue: 0x03) }
    /// The last frame of a connection: u32 code, then UTF-8 detail.
    public static var close: FrameType { FrameType(rawValue: 0x04) }

    /// Whether version 1 of the protocol defines this type. Others are skipped.
    @inlinable
    public var isKnown: Bool { rawValue >= 0x01 && rawValue <= 0x04 }

    /// Types that will never be defined, sent now and then so that peers stay tolerant.
    public var isGrease: Bool { rawValue & 0x0F == 0x0A }
}

/// The `flags` byte of a frame header; its meaning depends on the type.
@frozen
public struct FrameFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// MESSAGE: first fragment; its payload starts with the message type.
    public static var first: FrameFlags { FrameFlags(rawValue: 0x01) }
    /// MESSAGE: last fragment.
    public static var last: FrameFlags { FrameFlags(rawValue: 0x02) }
    /// MESSAGE: the whole message in one frame.
    public static var whole: FrameFlags { FrameFlags(rawValue: 0x03) }
    /// PROBE: the answer to a probe.
    public static var ack: FrameFlags { FrameFlags(rawValue: 0x01) }
}
