/// The message types of version 1 (spec 7.1 has each with its channel, its sender and its section).
public enum MessageType {
    public static let hello: UInt16 = 0x0001
    public static let welcome: UInt16 = 0x0002
    public static let proceed: UInt16 = 0x0003
    public static let pairStart: UInt16 = 0x0010
    public static let pairReply: UInt16 = 0x0011
    public static let pairConfirm: UInt16 = 0x0012
    public static let pairDone: UInt16 = 0x0013
    public static let touch: UInt16 = 0x0101
    public static let knob: UInt16 = 0x0102
    public static let key: UInt16 = 0x0103
    public static let touchpad: UInt16 = 0x0104
    public static let vehicleState: UInt16 = 0x0201
    public static let semanticsUpdate: UInt16 = 0x0401
    public static let resource: UInt16 = 0x1001
    public static let releaseResources: UInt16 = 0x1002
    public static let commit: UInt16 = 0x1003
    public static let presented: UInt16 = 0x1004

    /// Every type above.
    public static let all: [UInt16] = [
        hello, welcome, proceed, pairStart, pairReply, pairConfirm, pairDone, touch, knob, key, touchpad, vehicleState, semanticsUpdate,
        resource, releaseResources, commit, presented,
    ]

    /// Name as in the spec, for logs; nil for unknown types.
    public static func name(_ type: UInt16) -> String? {
        switch type {
        case hello: "Hello"
        case welcome: "Welcome"
        case proceed: "Proceed"
        case pairStart: "PairStart"
        case pairReply: "PairReply"
        case pairConfirm: "PairConfirm"
        case pairDone: "PairDone"
        case touch: "TouchEvent"
        case knob: "KnobEvent"
        case key: "KeyEvent"
        case touchpad: "TouchpadEvent"
        case vehicleState: "VehicleState"
        case semanticsUpdate: "SemanticsUpdate"
        case resource: "Resource"
        case releaseResources: "ReleaseResources"
        case commit: "Commit"
        case presented: "Presented"
        default: nil
        }
    }
}

/// The end of a link that sends something.
public enum LinkEnd: Hashable, Sendable {
    case phone
    case headUnit

    /// The other end.
    public var peer: LinkEnd { self == .phone ? .headUnit : .phone }
}

/// When a message may be sent (spec: Message registry, column "phase").
public enum MessagePhase: Hashable, Sendable {
    /// Hello, Welcome and Proceed: each at most once, at the start of a session connection.
    case negotiation
    /// Pair messages: only on a pairing connection.
    case pairing
    /// On an open channel.
    case session
}

/// A row of the message registry.
public struct MessageRule: Hashable, Sendable {
    public let kind: ChannelKind
    public let sender: LinkEnd
    public let phase: MessagePhase

    @usableFromInline
    init(_ kind: ChannelKind, _ sender: LinkEnd, _ phase: MessagePhase = .session) {
        self.kind = kind
        self.sender = sender
        self.phase = phase
    }

    /// The row of `type`; nil for unknown types, which receivers ignore.
    public static func of(_ type: UInt16) -> MessageRule? {
        switch type {
        case MessageType.hello, MessageType.proceed: MessageRule(.control, .phone, .negotiation)
        case MessageType.welcome: MessageRule(.control, .headUnit, .negotiation)
        case MessageType.pairStart, MessageType.pairConfirm: MessageRule(.control, .phone, .pairing)
        case MessageType.pairReply, MessageType.pairDone: MessageRule(.control, .headUnit, .pairing)
        case MessageType.touch...MessageType.touchpad: MessageRule(.input, .headUnit)
        case MessageType.vehicleState: MessageRule(.vehicle, .headUnit)
        case MessageType.semanticsUpdate: MessageRule(.semantics, .phone)
        case MessageType.resource...MessageType.commit: MessageRule(.display, .phone)
        case MessageType.presented: MessageRule(.display, .headUnit)
        default: nil
        }
    }
}
