/// A violation of the framing rules by the peer. The connection ends; nothing after it is parsed.
public struct FramingError: Error, Hashable, Sendable {
    /// Which rule was broken.
    public enum Rule: UInt8, Hashable, Sendable, CaseIterable {
        /// The length is above the limit in force.
        case frameTooLarge
        /// The reserved byte of the header is not 0.
        case reservedNotZero
        /// A known frame type carries a flag that is not defined for it.
        case unknownFlags
        /// A CREDIT, PROBE or CLOSE frame has the wrong length.
        case wrongLength
        /// A PROBE or CLOSE frame is not on channel 0.
        case wrongChannel
        /// A first fragment too short for its message type, or another fragment with no bytes.
        case fragmentTooShort
        /// A first fragment while a message is unfinished on that channel.
        case unexpectedFirst
        /// A fragment that continues nothing.
        case unexpectedContinuation
        /// The fragments of a message add up to more than the channel allows.
        case messageTooLarge
        /// Bytes beyond the credit, or credit out of range.
        case creditViolation
    }

    public let rule: Rule
    /// The header of the frame that broke the rule.
    public let header: FrameHeader

    public init(_ rule: Rule, _ header: FrameHeader) {
        self.rule = rule
        self.header = header
    }
}

extension FramingError: CustomStringConvertible {
    public var description: String {
        let frame = "frame type \(header.type.rawValue), flags \(header.flags.rawValue), channel \(header.channel), \(header.length) bytes"
        let problem = switch rule {
        case .frameTooLarge: "longer than the limit"
        case .reservedNotZero: "reserved byte is not 0"
        case .unknownFlags: "undefined flags"
        case .wrongLength: "wrong length for its type"
        case .wrongChannel: "must be on channel 0"
        case .fragmentTooShort: "fragment too short"
        case .unexpectedFirst: "first fragment while a message is unfinished"
        case .unexpectedContinuation: "fragment without a first fragment"
        case .messageTooLarge: "message longer than the channel allows"
        case .creditViolation: "credit exceeded or out of range"
        }
        return "\(problem) (\(frame))"
    }
}
