import FasciaWire

/// Input: which message (1 byte; the last kind is a packet), then its body.
@Sendable func checkSound(_ input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    let types = [
        MessageType.streamStart, MessageType.streamStarted, MessageType.streamStop, MessageType.streamUpdate, MessageType.streamStatus, MessageType.audioPacket,
    ]
    let index = Int(first) % types.count
    let body = Array(input.dropFirst())
    if index < 5, let problem = checkMessages([UInt8(index)] + body, .sound) { return problem }
    let message: SoundMessage?
    do { message = try SoundMessage(types[index], body) } catch { return nil }
    switch message {
    case nil: return "a message of sound is not known"
    case .packet(let header, let data):
        return header.encoded + data == body ? nil : "a packet does not encode to the same bytes"
    case .start(let start):
        if start.stream == 0 || start.label.utf8.count > AudioLimits.maxLabel { return "a stream without number or with a long label came through" }
        return outOfRange(start.gainDb, start.hasDuck ? start.duck : nil)
    case .update(let update): return outOfRange(update.gainDb, update.hasDuck ? update.duck : nil)
    case .status(let status): return (0...1).contains(status.volume) ? nil : "a volume of \(status.volume)"
    case .started, .stop: return nil
    }
}

private func outOfRange(_ gain: Float, _ duck: Duck?) -> String? {
    if !AudioLimits.decibels.contains(gain) { return "a gain of \(gain)" }
    guard let duck else { return nil }
    return AudioLimits.decibels.contains(duck.levelDb) && duck.rampMs <= AudioLimits.maxRamp ? nil : "a duck to \(duck.levelDb) in \(duck.rampMs)"
}
