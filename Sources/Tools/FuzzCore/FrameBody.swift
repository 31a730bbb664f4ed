import FasciaFraming

/// Input: payload limit (1 byte, in units of 64), chunk size (1 byte), then the stream.
@Sendable func checkFrames(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    let limit = 64 * Int(input.byte())
    let size = max(1, Int(input.byte()))
    let stream = input.rest
    let whole = Parsed(stream, limit: limit, size: max(1, stream.count))
    let cut = Parsed(stream, limit: limit, size: size)
    let single = Parsed(stream, limit: limit, size: 1)
    if !whole.isSame(as: cut) || !whole.isSame(as: single) { return "chunks of \(size) differ" }
    if let problem = whole.problem { return problem }
    let left = stream.count - whole.encoded.count
    if left < 0 || !sameBytes(whole.encoded, stream[..<whole.encoded.count]) { return "frames are not the bytes they came from" }
    if whole.failure == nil && whole.pending != left { return "\(whole.pending) bytes pending of \(left)" }
    if whole.failure != nil && (left < FramingLimits.headerSize || whole.pending != 0) { return "an error without a header, or bytes kept after it" }
    if scan(stream, limit: limit) != whole.count { return "scanner and parser differ" }
    return limit == 0 ? checkClose(stream) : roundTrip(stream, limit: limit)
}

/// The stream as the text of a CLOSE, which is cut between characters.
private func checkClose(_ text: [UInt8]) -> String? {
    let detail = String(decoding: text, as: UTF8.self)
    var written: [UInt8] = []
    FrameWriter.close(code: 1, detail: detail, into: &written)
    var parser = FrameParser()
    guard let frame = parser.frames(written).first, frame.header.type == .close, parser.failure == nil else { return "a bad CLOSE is written" }
    let kept = String(decoding: frame.payload.dropFirst(FramingLimits.closeCodeSize), as: UTF8.self)
    return detail.hasPrefix(kept) && (kept == detail || detail.utf8.count > FramingLimits.maxCloseDetail) ? nil : "the text of a CLOSE is cut wrongly"
}

/// The stream as a message that is written in fragments of at most `limit` bytes.
private func roundTrip(_ body: [UInt8], limit: Int) -> String? {
    var written: [UInt8] = []
    FrameWriter.message(channel: 1, type: 0x1234, body: body, maxPayload: limit, into: &written)
    var parser = FrameParser(maxPayload: max(limit, FramingLimits.messageTypeSize + 1)), assembler = MessageAssembler(maxMessage: body.count + 2)
    let frames = parser.frames(written)
    if frames.contains(where: { $0.payload.count > parser.maxPayload }) { return "a fragment above the limit" }
    for (index, frame) in frames.enumerated() {
        let isLast = index == frames.count - 1
        switch take(&assembler, frame.header, frame.payload) {
        case .success(.partial) where !isLast: break
        case .success(.whole(0x1234)) where isLast && frames.count == 1: return sameBytes(body, frame.payload[2...]) ? nil : "another message than was written"
        case .success(.assembled(0x1234)) where isLast: return sameBytes(body, assembler.take()[...]) ? nil : "another message than was written"
        default: return "fragment \(index) of \(frames.count) is refused or of the wrong kind"
        }
    }
    return "a message without frames"
}

/// What a parser made of a stream: its frames one behind the other, as they would be written.
private struct Parsed {
    var encoded: [UInt8] = []
    var count = 0
    var failure: FramingError?
    var pending = 0
    var problem: String?

    init(_ stream: [UInt8], limit: Int, size: Int) {
        encoded.reserveCapacity(stream.count)
        var parser = FrameParser(maxPayload: limit)
        var start = 0
        while start < stream.count {
            let end = min(stream.count, start + size)
            unsafe stream.withUnsafeBytes { bytes in
                _ = unsafe parser.receive(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) { header, payload in
                    if header.length != payload.count { problem = "payload is not as long as its header says" }
                    if header.type.isKnown && header.type.isGrease { problem = "a type that is defined and never will be" }
                    if payload.count > limit { problem = "payload above the limit" }
                    unsafe withUnsafeBytes(of: header.rawValue.bigEndian) { unsafe encoded.append(contentsOf: $0) }
                    unsafe encoded.append(contentsOf: payload)
                    count += 1
                    return true
                }
            }
            start = end
        }
        failure = parser.failure
        pending = parser.pendingBytes
    }

    func isSame(as other: Parsed) -> Bool {
        count == other.count && failure == other.failure && pending == other.pending && problem == other.problem && sameBytes(encoded, other.encoded[...])
    }
}

private func scan(_ stream: [UInt8], limit: Int) -> Int {
    unsafe stream.withUnsafeBytes { bytes in
        let scanner = FrameScanner(maxPayload: limit)
        var offset = 0
        var count = 0
        while let header = unsafe try? scanner.next(bytes, at: &offset), header.length <= limit { count += 1 }
        return count
    }
}
