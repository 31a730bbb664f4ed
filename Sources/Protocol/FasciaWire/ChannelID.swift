/// A channel number of the link (spec: Channels).
public struct ChannelID: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    @inlinable
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }
    @inlinable
    public init(integerLiteral value: UInt16) { rawValue = value }

    /// Negotiation and pairing; always open, not credit limited.
    public static let control: ChannelID = 0
    /// Touch, knob, keys, touchpad; head unit to phone.
    public static let input: ChannelID = 1
    /// Vehicle state; head unit to phone.
    public static let vehicle: ChannelID = 2
    /// Reserved in version 1.
    public static let metadata: ChannelID = 3
    /// What is on the screen; phone to head unit.
    public static let semantics: ChannelID = 4
    /// Who has the screen and the speakers; both directions.
    public static let ownership: ChannelID = 5
    /// The microphone; packets head unit to phone, its control both ways.
    public static let audioIn: ChannelID = 48

    /// Numbers of sound channels: route n is 32 + n.
    public static let audioRoutes: Range<UInt16> = 32..<38
    /// Numbers of all channels of sound, the microphone's included.
    public static let sound: ClosedRange<UInt16> = 32...48

    /// The channel of route `number` (spec/sound.md, Routes); nil when the protocol has no such route.
    public static func audioOut(_ number: Int) -> ChannelID? {
        (0..<audioRoutes.count).contains(number) ? ChannelID(rawValue: audioRoutes.lowerBound + UInt16(number)) : nil
    }

    /// Number of the route whose channel this is; nil for other channels.
    public var audioRoute: Int? { Self.audioRoutes.contains(rawValue) ? Int(rawValue - Self.audioRoutes.lowerBound) : nil }

    /// Numbers of display channels: screen n is 16 + n.
    public static let displays: Range<UInt16> = 16..<32

    /// The display channel of screen `index`; nil when the protocol has no such screen.
    public static func display(_ index: Int) -> ChannelID? {
        (0..<displays.count).contains(index) ? ChannelID(rawValue: displays.lowerBound + UInt16(index)) : nil
    }

    /// The display channel of the first screen.
    public static let mainDisplay: ChannelID = 16

    @inlinable
    public static func < (left: ChannelID, right: ChannelID) -> Bool { left.rawValue < right.rawValue }
}

extension ChannelID: CustomStringConvertible {
    public var description: String {
        guard let kind = ChannelKind(self) else { return "channel \(rawValue)" }
        return switch kind {
        case .display: "display \(rawValue - Self.displays.lowerBound)"
        case .audioOut: "audio \(rawValue - Self.audioRoutes.lowerBound)"
        default: "\(kind)"
        }
    }
}

/// The channels version 1 can open, with the limits that go with each (spec: Channels).
public enum ChannelKind: UInt8, Hashable, Sendable, CaseIterable {
    case control
    case input
    case vehicle
    case semantics
    case display
    case ownership
    case audioOut
    case audioIn

    /// nil for reserved and unknown channel numbers.
    public init?(_ channel: ChannelID) {
        switch channel.rawValue {
        case 0: self = .control
        case 1: self = .input
        case 2: self = .vehicle
        case 4: self = .semantics
        case 5: self = .ownership
        case ChannelID.displays: self = .display
        case ChannelID.audioRoutes: self = .audioOut
        case 48: self = .audioIn
        default: return nil
        }
    }

    /// Lower goes first.
    public var priority: UInt8 {
        switch self {
        case .control: 0
        case .input, .vehicle, .ownership: 1
        case .audioOut, .audioIn: 2
        case .semantics: 3
        case .display: 4
        }
    }

    /// Bytes a sender may send before it gets CREDIT; nil for control, which is not credit limited.
    public var initialCredit: Int? {
        switch self {
        case .control: nil
        case .input, .vehicle, .ownership, .audioOut, .audioIn: 65_536
        case .semantics: 262_144
        case .display: 1_048_576
        }
    }

    /// Longest message, its type included, in bytes.
    public var maxMessage: Int {
        switch self {
        case .control: 65_536
        case .input, .vehicle, .ownership: 4_096
        case .audioOut, .audioIn: 8_192
        case .semantics: 1_048_576
        case .display: 16_777_216
        }
    }

    /// Whether the phone may send on it right after its Hello.
    public var isOptimistic: Bool { self == .display || self == .semantics }
}
