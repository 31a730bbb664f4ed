import FasciaFraming

/// Input: payload limit (1 byte, in units of 64), chunk size (1 byte), then the stream.
func checkFraming(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    let limit = 64 * Int(input.byte())
    let size = max(1, Int(input.byte()))
    let stream = input.rest
    let whole = parse(stream, limit: limit, size: max(1, stream.count))
    let cut = parse(stream, limit: limit, size: size)
    let single = parse(stream, limit: limit, size: 1)
    if whole != cut || whole != single { return "chunks of \(size) differ" }
    var encoded: [UInt8] = []
    for frame in whole.frames {
        if frame.header.length != frame.payload.count { return "payload is not as long as its header says" }
        if frame.payload.count > limit { return "payload above the limit" }
        encoded += frame.header.bytes + frame.payload
    }
    if !stream.starts(with: encoded) { return "frames are not the bytes they came from" }
    let left = stream.count - encoded.count
    if whole.failure == nil && whole.pending != left { return "\(whole.pending) bytes pending of \(left)" }
    if whole.failure != nil && left < FramingLimits.headerSize { return "an error without a header" }
    return scan(stream, limit: limit) == whole.frames.count ? nil : "scanner and parser differ"
}

private struct Parsed: Equatable {
    var frames: [FrameParser.Frame] = []
    var failure: FramingError?
    var pending = 0
}

private func parse(_ stream: [UInt8], limit: Int, size: Int) -> Parsed {
    var parser = FrameParser(maxPayload: limit)
    var parsed = Parsed()
    for start in stride(from: 0, to: stream.count, by: size) {
        parsed.frames += parser.frames(Array(stream[start..<min(stream.count, start + size)]))
    }
    parsed.failure = parser.failure
    parsed.pending = parser.pendingBytes
    return parsed
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
