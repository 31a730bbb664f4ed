/// Why a connection ended: the code of a CLOSE frame (spec: Close codes). Unknown codes are kept as they are.
public struct CloseCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The user or the application ended the session.
    public static let goodbye = CloseCode(rawValue: 0)
    /// The process is ending.
    public static let shutdown = CloseCode(rawValue: 1)
    /// Pairing succeeded; the phone connects anew.
    public static let paired = CloseCode(rawValue: 2)
    /// The head unit serves another phone.
    public static let busy = CloseCode(rawValue: 3)
    /// A newer connection of the same session took over.
    public static let replaced = CloseCode(rawValue: 4)
    /// The pairing code was wrong.
    public static let pairingFailed = CloseCode(rawValue: 5)
    /// Too many wrong pairing codes; the detail says for how long.
    public static let pairingLocked = CloseCode(rawValue: 6)

    /// A frame header broke a rule.
    public static let protocolError = CloseCode(rawValue: 0x100)
    /// A frame is longer than the limit in force.
    public static let frameTooLarge = CloseCode(rawValue: 0x101)
    /// A fragment came out of order or is too short.
    public static let badFragment = CloseCode(rawValue: 0x102)
    /// A message or frame not allowed on this channel, from this end, or in this state.
    public static let illegalMessage = CloseCode(rawValue: 0x103)
    /// A message is longer than its channel allows.
    public static let messageTooLarge = CloseCode(rawValue: 0x104)
    /// Bytes beyond the credit, or credit out of range.
    public static let creditViolation = CloseCode(rawValue: 0x105)
    /// A message on a channel that is not open.
    public static let channelNotOpen = CloseCode(rawValue: 0x106)
    /// The contents of a message cannot be decoded or break a limit.
    public static let malformedMessage = CloseCode(rawValue: 0x107)

    /// The ends have no protocol version in common.
    public static let versionUnsupported = CloseCode(rawValue: 0x200)
    /// The session cannot go on and a new one is not wanted.
    public static let resumeRefused = CloseCode(rawValue: 0x201)

    /// The peer was silent for too long.
    public static let timeout = CloseCode(rawValue: 0x300)
    /// The transport ended without CLOSE. Never sent.
    public static let transportLost = CloseCode(rawValue: 0x301)
    /// A fault of the end that closes.
    public static let internalError = CloseCode(rawValue: 0x302)

    /// Every code of version 1 with its name in the spec.
    public static let names: [CloseCode: String] = [
        .goodbye: "goodbye", .shutdown: "shutdown", .paired: "paired", .busy: "busy", .replaced: "replaced",
        .pairingFailed: "pairingFailed", .pairingLocked: "pairingLocked",
        .protocolError: "protocolError", .frameTooLarge: "frameTooLarge", .badFragment: "badFragment",
        .illegalMessage: "illegalMessage", .messageTooLarge: "messageTooLarge", .creditViolation: "creditViolation",
        .channelNotOpen: "channelNotOpen", .malformedMessage: "malformedMessage",
        .versionUnsupported: "versionUnsupported", .resumeRefused: "resumeRefused",
        .timeout: "timeout", .transportLost: "transportLost", .internalError: "internalError",
    ]
}

extension CloseCode: CustomStringConvertible {
    public var description: String { Self.names[self] ?? "code \(rawValue)" }
}
