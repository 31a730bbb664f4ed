import FasciaFraming

/// Input: message limit (2 bytes), credit (1 byte, in units of 16), then per fragment flags, length and that many bytes.
/// A model that keeps whole messages and asks each rule of spec 6.2 in words must agree with the assembler.
@Sendable func checkReassembly(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    let limit = Int(input.word())
    let initial = 16 * Int(input.byte())
    var assembler = MessageAssembler(maxMessage: limit)
    var model = Model(limit: limit)
    var receive = ReceiveCredit(initial: initial)
    var send = SendCredit(initial: initial)
    while !input.isEmpty {
        let flags = FrameFlags(rawValue: input.byte())
        let payload = input.take(Int(input.byte()))
        let header = FrameHeader(length: payload.count, type: .message, flags: flags, channel: 1)
        if header.violation(maxPayload: .max) != nil { continue }
        // Both ends count the same credit.
        if receive.spend(payload.count) != (send.available >= payload.count) { return "credit of sender and receiver differ" }
        if send.available < payload.count { return nil }
        send.spend(payload.count)
        if receive.consume(payload.count) {
            let granted = receive.grant()
            if initial > 0, !send.add(granted) { return "a grant of \(granted) is refused" }
        }
        if send.available != receive.available { return "credit of sender \(send.available) and receiver \(receive.available)" }

        let expected = model.accept(flags, payload)
        var rule: FramingError.Rule?
        var message: [UInt8]?
        switch take(&assembler, header, payload) {
        case .success(.partial): break
        case .success(.whole(let type)): message = [UInt8(type >> 8), UInt8(type & 255)] + payload.dropFirst(2)
        case .success(.assembled(let type)):
            let body = assembler.take()
            message = [UInt8(type >> 8), UInt8(type & 255)] + body
            assembler.recycle(body)
        case .failure(let error): rule = error.rule
        }
        if rule != expected.rule { return "\(String(describing: rule)) instead of \(String(describing: expected.rule))" }
        if message != expected.message { return "another message than its fragments make" }
        if assembler.isAssembling != (model.unfinished != nil), rule == nil { return "idle and assembling are confused" }
        if rule != nil { return nil }
    }
    return nil
}

func take(_ assembler: inout MessageAssembler, _ header: FrameHeader, _ payload: [UInt8]) -> Result<MessageAssembler.Progress, FramingError> {
    unsafe payload.withUnsafeBytes { bytes in
        do throws(FramingError) {
            return .success(unsafe try assembler.accept(header, bytes))
        } catch { return .failure(error) }
    }
}

private struct Model {
    let limit: Int
    var unfinished: [UInt8]?

    mutating func accept(_ flags: FrameFlags, _ payload: [UInt8]) -> (message: [UInt8]?, rule: FramingError.Rule?) {
        if flags.contains(.first), unfinished != nil { return (nil, .unexpectedFirst) }
        if !flags.contains(.first), unfinished == nil { return (nil, .unexpectedContinuation) }
        let message = (unfinished ?? []) + payload
        if message.count > limit { return (nil, .messageTooLarge) }
        unfinished = flags.contains(.last) ? nil : message
        return (flags.contains(.last) ? message : nil, nil)
    }
}
