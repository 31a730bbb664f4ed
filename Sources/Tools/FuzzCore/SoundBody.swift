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
    guard let message else { return "a message of sound is not known" }
    // Of no other message is it said that its stream has a number.
    if message.stream == 0, case .start = message { return "a stream without a number came through" }
    switch message {
    case .packet(let header, let data):
        let again = AudioPacketHeader(stream: header.stream, sequence: header.sequence, time: header.time)
        return again == header && again.encoded + data == body ? nil : "a packet does not encode to the same bytes"
    case .start(let start):
        var numbers = StreamNumbers()
        let isFirst = (try? numbers.started(start.stream, on: 33)) != nil, isAgain = (try? numbers.started(start.stream, on: 33)) != nil
        if !isFirst || isAgain { return "stream \(start.stream) was taken \(isFirst ? "twice" : "not at all")" }
        if start.label.utf8.count > AudioLimits.maxLabel { return "a stream with a long label came through" }
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
