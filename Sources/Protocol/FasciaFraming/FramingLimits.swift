/// Specification constants of the framing layer (spec: Timers and limits).
public enum FramingLimits {
    /// Bytes of a frame header.
    public static let headerSize = 8
    /// Largest payload before limits are negotiated, and the smallest every receiver accepts, in bytes.
    public static let defaultMaxPayload = 16_384
    /// Smallest `Limits.max_frame_payload` a peer may ask for, in bytes.
    public static let minMaxPayload = 1_024
    /// Largest payload the 24-bit length can say, in bytes.
    public static let maxMaxPayload = 0xFF_FFFF
    /// Bytes of the message type at the start of a first fragment.
    public static let messageTypeSize = 2
    /// Payload of a CREDIT frame, in bytes.
    public static let creditPayload = 4
    /// Payload of a PROBE frame, in bytes.
    public static let probePayload = 8
    /// Payload of a PROBE with ACK that carries its sender's clock, in bytes.
    public static let clockPayload = 16
    /// Bytes of the code in a CLOSE frame.
    public static let closeCodeSize = 4
    /// Longest detail text of a CLOSE frame, in bytes of UTF-8.
    public static let maxCloseDetail = 256
    /// Most credit a sender may ever hold on one channel, in bytes.
    public static let maxCredit = 0x7FFF_FFFF
}
