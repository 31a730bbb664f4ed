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
    public static let ownershipRequest: UInt16 = 0x0501
    public static let ownershipState: UInt16 = 0x0502
    public static let resource: UInt16 = 0x1001
    public static let releaseResources: UInt16 = 0x1002
    public static let commit: UInt16 = 0x1003
    public static let presented: UInt16 = 0x1004
    public static let streamStart: UInt16 = 0x2001
    public static let streamStarted: UInt16 = 0x2002
    public static let audioPacket: UInt16 = 0x2003
    public static let streamStop: UInt16 = 0x2004
    public static let streamUpdate: UInt16 = 0x2005
    public static let streamStatus: UInt16 = 0x2006

    /// Every type above.
    public static let all: [UInt16] = [
        hello, welcome, proceed, pairStart, pairReply, pairConfirm, pairDone, touch, knob, key, touchpad, vehicleState, semanticsUpdate,
        ownershipRequest, ownershipState, resource, releaseResources, commit, presented,
        streamStart, streamStarted, audioPacket, streamStop, streamUpdate, streamStatus,
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
        case ownershipRequest: "OwnershipRequest"
        case ownershipState: "OwnershipState"
        case resource: "Resource"
        case releaseResources: "ReleaseResources"
        case commit: "Commit"
        case presented: "Presented"
        case streamStart: "StreamStart"
        case streamStarted: "StreamStarted"
        case audioPacket: "AudioPacket"
        case streamStop: "StreamStop"
        case streamUpdate: "StreamUpdate"
        case streamStatus: "StreamStatus"
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

/// A row of the message registry: who may send a message on channels of which kinds, and when.
public struct MessageRule: Hashable, Sendable {
    /// The kinds of channels on which the phone may send it.
    public let fromPhone: ChannelKinds
    /// The kinds of channels on which the head unit may send it.
    public let fromHeadUnit: ChannelKinds
    public let phase: MessagePhase

    @usableFromInline
    init(phone: ChannelKinds = [], headUnit: ChannelKinds = [], _ phase: MessagePhase = .session) {
        fromPhone = phone
        fromHeadUnit = headUnit
        self.phase = phase
    }

    /// Whether `sender` may send it on a channel of `kind`.
    public func allows(_ kind: ChannelKind, from sender: LinkEnd) -> Bool {
        (sender == .phone ? fromPhone : fromHeadUnit).contains(ChannelKinds(kind))
    }

    /// The row of `type`; nil for unknown types, which receivers ignore.
    public static func of(_ type: UInt16) -> MessageRule? {
        switch type {
        case MessageType.hello, MessageType.proceed: MessageRule(phone: .control, .negotiation)
        case MessageType.welcome: MessageRule(headUnit: .control, .negotiation)
        case MessageType.pairStart, MessageType.pairConfirm: MessageRule(phone: .control, .pairing)
        case MessageType.pairReply, MessageType.pairDone: MessageRule(headUnit: .control, .pairing)
        case MessageType.touch...MessageType.touchpad: MessageRule(headUnit: .input)
        case MessageType.vehicleState: MessageRule(headUnit: .vehicle)
        case MessageType.semanticsUpdate: MessageRule(phone: .semantics)
        case MessageType.ownershipRequest: MessageRule(phone: .ownership)
        case MessageType.ownershipState: MessageRule(headUnit: .ownership)
        case MessageType.resource...MessageType.commit: MessageRule(phone: .display)
        case MessageType.presented: MessageRule(headUnit: .display)
        case MessageType.streamStart: MessageRule(phone: .sound)
        case MessageType.streamStarted, MessageType.streamStatus: MessageRule(headUnit: .sound)
        case MessageType.audioPacket: MessageRule(phone: .audioOut, headUnit: .audioIn)
        case MessageType.streamStop: MessageRule(phone: .sound, headUnit: .audioIn)
        case MessageType.streamUpdate: MessageRule(phone: .audioOut)
        default: nil
        }
    }
}

/// Kinds of channels, as a set.
public struct ChannelKinds: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public init(_ kind: ChannelKind) { rawValue = 1 << UInt16(kind.rawValue) }

    public static let control = ChannelKinds(.control)
    public static let input = ChannelKinds(.input)
    public static let vehicle = ChannelKinds(.vehicle)
    public static let semantics = ChannelKinds(.semantics)
    public static let display = ChannelKinds(.display)
    public static let ownership = ChannelKinds(.ownership)
    public static let audioOut = ChannelKinds(.audioOut)
    public static let audioIn = ChannelKinds(.audioIn)
    public static let sound: ChannelKinds = [.audioOut, .audioIn]
}
