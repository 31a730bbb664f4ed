/// Writes frames into arrays. Every function appends exactly one frame, or for `message` one message.
public enum FrameWriter {
    /// Appends a frame as it is; the caller answers for header and payload agreeing.
    public static func frame(_ type: FrameType, flags: FrameFlags = [], channel: UInt16, payload: some Collection<UInt8>, into output: inout [UInt8]) {
        output.append(contentsOf: FrameHeader(length: payload.count, type: type, flags: flags, channel: channel).bytes)
        output.append(contentsOf: payload)
    }

    /// Appends CREDIT.
    /// - Parameter bytes: how much more the peer may send on `channel`.
    public static func credit(_ bytes: UInt32, channel: UInt16, into output: inout [UInt8]) {
        frame(.credit, channel: channel, payload: bigEndian(bytes), into: &output)
    }

    /// Appends PROBE, or with `ack` the answer to one.
    public static func probe(_ opaque: UInt64, ack: Bool, into output: inout [UInt8]) {
        frame(.probe, flags: ack ? .ack : [], channel: 0, payload: bigEndian(opaque), into: &output)
    }

    /// Appends the answer to a PROBE with the answering end's clock.
    /// - Parameter clock: nanoseconds.
    public static func probeAnswer(_ opaque: UInt64, clock: UInt64, into output: inout [UInt8]) {
        frame(.probe, flags: .ack, channel: 0, payload: bigEndian(opaque) + bigEndian(clock), into: &output)
    }

    /// Appends CLOSE; `detail` is cut at a character to at most `FramingLimits.maxCloseDetail` bytes.
    public static func close(code: UInt32, detail: String, into output: inout [UInt8]) {
        frame(.close, channel: 0, payload: bigEndian(code) + Array(detail.prefix(utf8Bytes: FramingLimits.maxCloseDetail).utf8), into: &output)
    }

    /// Appends a message as as many MESSAGE frames as it needs.
    /// - Parameter maxPayload: longest payload of a frame, in bytes, at least 3.
    public static func message(channel: UInt16, type: UInt16, body: [UInt8], maxPayload: Int = FramingLimits.defaultMaxPayload, into output: inout [UInt8]) {
        let room = max(maxPayload, FramingLimits.messageTypeSize + 1)
        var end = min(body.count, room - FramingLimits.messageTypeSize)
        var flags: FrameFlags = end == body.count ? .whole : .first
        frame(.message, flags: flags, channel: channel, payload: bigEndian(type) + body[..<end], into: &output)
        while end < body.count {
            let start = end
            end = min(body.count, start + room)
            flags = end == body.count ? .last : []
            frame(.message, flags: flags, channel: channel, payload: body[start..<end], into: &output)
        }
    }

    static func bigEndian<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (Number.bitWidth - 8 - 8 * $0)) }
    }
}

extension StringProtocol {
    /// The longest prefix of whole characters that is at most `limit` bytes of UTF-8.
    public func prefix(utf8Bytes limit: Int) -> SubSequence {
        if utf8.count <= limit { return self[...] }
        var end = startIndex
        var used = 0
        while end < endIndex {
            let next = index(after: end)
            used += self[end..<next].utf8.count
            if used > limit { break }
            end = next
        }
        return self[..<end]
    }
}
