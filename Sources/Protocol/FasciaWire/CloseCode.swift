/// Why a connection ended: the code of a CLOSE frame (spec/link.md 12.2). Unknown codes are kept as they are.
public struct CloseCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The user or the application ended the session.
    public static let goodbye = CloseCode(rawValue: 0x00)
    /// Pairing succeeded; the phone connects anew.
    public static let paired = CloseCode(rawValue: 0x01)
    /// The process is ending.
    public static let shutdown = CloseCode(rawValue: 0x02)
    /// A newer connection of the same phone took the session over.
    public static let superseded = CloseCode(rawValue: 0x03)
    /// The head unit serves another phone.
    public static let busy = CloseCode(rawValue: 0x04)

    /// A frame header broke a rule.
    public static let protocolError = CloseCode(rawValue: 0x10)
    /// A frame is longer than the limit in force.
    public static let frameTooLarge = CloseCode(rawValue: 0x11)
    /// A fragment came out of order or is too short.
    public static let badFragment = CloseCode(rawValue: 0x12)
    /// A message is longer than its channel allows.
    public static let messageTooLarge = CloseCode(rawValue: 0x13)
    /// Bytes beyond the credit, or credit out of range.
    public static let creditExceeded = CloseCode(rawValue: 0x14)
    /// A message or frame not allowed on this channel, from this end, or in this state.
    public static let illegalMessage = CloseCode(rawValue: 0x15)
    /// The contents of a message cannot be decoded or break a rule.
    public static let badMessage = CloseCode(rawValue: 0x16)
    /// A resource cannot be decoded, or its id was used before.
    public static let badResource = CloseCode(rawValue: 0x17)
    /// A commit that cannot be shown.
    public static let badCommit = CloseCode(rawValue: 0x18)
    /// More resources than the head unit keeps.
    public static let resourcesExhausted = CloseCode(rawValue: 0x19)

    /// The ends have no protocol version in common.
    public static let versionUnsupported = CloseCode(rawValue: 0x20)

    /// The peer was silent for too long.
    public static let timeout = CloseCode(rawValue: 0x30)
    /// Negotiation or pairing was not finished in time.
    public static let handshakeTimeout = CloseCode(rawValue: 0x31)

    /// The head unit does not pair now.
    public static let pairingClosed = CloseCode(rawValue: 0x40)
    /// Too many wrong pairing codes; the detail says for how long.
    public static let pairingLocked = CloseCode(rawValue: 0x41)
    /// The pairing code was wrong.
    public static let wrongCode = CloseCode(rawValue: 0x42)

    /// A fault of the end that closes.
    public static let internalError = CloseCode(rawValue: 0x50)

    /// The transport ended without CLOSE. Never sent.
    public static let transportLost = CloseCode(rawValue: 0xFFFF_0001)

    /// Every code of version 1 with its name in the spec.
    public static let names: [CloseCode: String] = [
        .goodbye: "GOODBYE", .paired: "PAIRED", .shutdown: "SHUTDOWN", .superseded: "SUPERSEDED", .busy: "BUSY",
        .protocolError: "PROTOCOL_ERROR", .frameTooLarge: "FRAME_TOO_LARGE", .badFragment: "BAD_FRAGMENT",
        .messageTooLarge: "MESSAGE_TOO_LARGE", .creditExceeded: "CREDIT_EXCEEDED", .illegalMessage: "ILLEGAL_MESSAGE",
        .badMessage: "BAD_MESSAGE", .badResource: "BAD_RESOURCE", .badCommit: "BAD_COMMIT",
        .resourcesExhausted: "RESOURCES_EXHAUSTED", .versionUnsupported: "VERSION_UNSUPPORTED",
        .timeout: "TIMEOUT", .handshakeTimeout: "HANDSHAKE_TIMEOUT",
        .pairingClosed: "PAIRING_CLOSED", .pairingLocked: "PAIRING_LOCKED", .wrongCode: "WRONG_CODE",
        .internalError: "INTERNAL_ERROR", .transportLost: "TRANSPORT_LOST",
    ]

    /// What the end of a connection means for its session at the head unit.
    public enum SessionFate: Hashable, Sendable {
        /// The session is over; the phone starts a new one.
        case ends
        /// The session waits for the grace time.
        case kept
        /// The session lives on another connection, or there was none.
        case unaffected
    }

    /// What becomes of the session (spec/link.md 12.2, column "session"). Unknown codes end it.
    public var sessionFate: SessionFate {
        switch self {
        case .timeout, .transportLost: .kept
        case .paired, .superseded, .busy, .handshakeTimeout, .pairingClosed, .pairingLocked, .wrongCode: .unaffected
        default: .ends
        }
    }
}

extension CloseCode: CustomStringConvertible {
    public var description: String { Self.names[self] ?? "code \(rawValue)" }
}
