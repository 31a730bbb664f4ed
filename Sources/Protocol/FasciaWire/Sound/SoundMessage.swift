import SwiftProtobuf

/// A message of a sound channel, decoded and found to keep the field rules (spec/sound.md 3 and 4): the same for both ends.
/// What numbers may be out of range is brought into it here.
public enum SoundMessage: Sendable {
    case start(StreamStart)
    case started(StreamStarted)
    /// `data` is behind the header: PCM or one Opus packet, of any length.
    case packet(AudioPacketHeader, data: ArraySlice<UInt8>)
    case stop(StreamStop)
    case update(StreamUpdate)
    case status(StreamStatus)

    /// nil for types that are no messages of sound.
    /// - Throws: what is wrong with it: close with BAD_MESSAGE.
    public init?(_ type: UInt16, _ body: [UInt8]) throws(SoundViolation) {
        switch type {
        case MessageType.streamStart: self = .start(try StreamStart.checked(body))
        case MessageType.streamStarted: self = .started(try StreamStarted.checked(body))
        case MessageType.streamStop: self = .stop(try StreamStop.checked(body))
        case MessageType.streamUpdate: self = .update(try StreamUpdate.checked(body))
        case MessageType.streamStatus: self = .status(try StreamStatus.checked(body))
        case MessageType.audioPacket:
            guard let header = AudioPacketHeader(decoding: body) else { throw SoundViolation("AudioPacket of \(body.count) bytes") }
            self = .packet(header, data: body.dropFirst(AudioPacketHeader.size))
        default: return nil
        }
    }

    /// The stream it is about.
    public var stream: UInt32 {
        switch self {
        case .start(let message): message.stream
        case .started(let message): message.stream
        case .packet(let header, _): header.stream
        case .stop(let message): message.stream
        case .update(let message): message.stream
        case .status(let message): message.stream
        }
    }
}

/// What breaks a field rule of sound: BAD_MESSAGE.
public struct SoundViolation: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// Specification constants of sound (spec/sound.md 9).
public enum AudioLimits {
    /// Streams at a time, the microphone's included.
    public static let maxStreams = 16
    /// Decibels of `gain_db` and `Duck.level_db`.
    public static let decibels: ClosedRange<Float> = -100...0
    /// Milliseconds.
    public static let maxRamp: UInt32 = 5_000
    /// Bytes of UTF-8.
    public static let maxLabel = 64
    /// Entries of a list of formats.
    public static let maxFormats = 64
    /// Nanoseconds of sound in a packet.
    public static let packet: ClosedRange<UInt64> = 2_500_000...60_000_000
}

/// Field rules of one message.
private protocol CheckedMessage: SwiftProtobuf.Message {
    mutating func check() throws(SoundViolation)
}

extension CheckedMessage {
    mutating func check() throws(SoundViolation) {}

    static func checked(_ body: [UInt8]) throws(SoundViolation) -> Self {
        guard var message = try? Self(serializedBytes: body) else { throw SoundViolation("\(protoMessageName) cannot be decoded") }
        try message.check()
        return message
    }
}

private func decibels(_ value: Float) throws(SoundViolation) -> Float {
    guard value.isFinite else { throw SoundViolation("a level that is no number") }
    return min(max(value, AudioLimits.decibels.lowerBound), AudioLimits.decibels.upperBound)
}

extension Duck {
    fileprivate mutating func check() throws(SoundViolation) {
        levelDb = try decibels(levelDb)
        rampMs = min(rampMs, AudioLimits.maxRamp)
    }
}

extension StreamStart: CheckedMessage {
    fileprivate mutating func check() throws(SoundViolation) {
        if stream == 0 { throw SoundViolation("stream 0") }
        if label.utf8.count > AudioLimits.maxLabel { throw SoundViolation("label is too long") }
        gainDb = try decibels(gainDb)
        if hasDuck { try duck.check() }
    }
}

extension StreamUpdate: CheckedMessage {
    fileprivate mutating func check() throws(SoundViolation) {
        gainDb = try decibels(gainDb)
        if hasDuck { try duck.check() }
    }
}

extension StreamStatus: CheckedMessage {
    fileprivate mutating func check() throws(SoundViolation) {
        guard volume.isFinite else { throw SoundViolation("a volume that is no number") }
        volume = min(max(volume, 0), 1)
    }
}

extension StreamStarted: CheckedMessage {}
extension StreamStop: CheckedMessage {}
