/// The frame header shared with the car link (`spec/link.md`, "Frames"), big-endian, 8 bytes:
///
///      0                   1                   2                   3
///     |            length (24)                        |    type (8)   |
///     |   flags (8)   | reserved (8)=0|         channel (16)          |
///
/// The App Link uses MESSAGE frames on channel 0 only; other frame types are ignored.
enum AppLinkFrame {
    static let headerSize = 8
    static let message: UInt8 = 0x01
    static let first: UInt8 = 1
    static let last: UInt8 = 2

    static func appendHeader(length: Int, flags: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(truncatingIfNeeded: length >> 16))
        output.append(UInt8(truncatingIfNeeded: length >> 8))
        output.append(UInt8(truncatingIfNeeded: length))
        output.append(message)
        output.append(flags)
        output.append(contentsOf: [0, 0, 0])
    }
}
