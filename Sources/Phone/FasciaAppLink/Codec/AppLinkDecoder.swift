/// Turns received bytes back into messages. Feed it any chunking of the stream; after an error it stays failed.
///
///     idle --FIRST--> gathering --LAST--> idle (message out)
///       \________________\____ anything else on a MESSAGE frame ____> failed
///
/// Memory: never more than the bytes that arrived, and never more than `maximumMessage`.
public struct AppLinkDecoder: Sendable {
    /// One whole message, its type split off.
    public struct Message: Sendable, Equatable {
        public let type: UInt16
        public let body: [UInt8]
    }

    private let maximumMessage: Int
    private var input: [UInt8] = []
    private var consumed = 0
    private var gathered: [UInt8]?
    private var failure: AppLinkError?

    /// - Parameter maximumMessage: bytes of the largest message to accept, type included.
    public init(maximumMessage: Int) {
        self.maximumMessage = maximumMessage
    }

    /// True between messages: a stream that ends here lost nothing.
    public var isAtBoundary: Bool { gathered == nil && consumed == input.count }

    /// Adds bytes of the stream; then drain `nextMessage()`.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        guard failure == nil else { return }
        if consumed > 0 {
            input.removeFirst(consumed)
            consumed = 0
        }
        input.append(contentsOf: bytes)
    }

    /// The next whole message, nil when more bytes are needed.
    /// - Throws: `AppLinkError` for bytes that break the framing rules; the same error again on every later call.
    public mutating func nextMessage() throws(AppLinkError) -> Message? {
        if let failure { throw failure }
        do throws(AppLinkError) {
            while let frame = try nextFrame() {
                if let message = try accept(frame) { return message }
            }
            return nil
        } catch {
            failure = error
            input = []
            consumed = 0
            gathered = nil
            throw error
        }
    }

    private struct Frame {
        let type: UInt8
        let flags: UInt8
        let channel: UInt16
        let payload: Range<Int>
    }

    private mutating func nextFrame() throws(AppLinkError) -> Frame? {
        let start = consumed
        guard input.count - start >= AppLinkFrame.headerSize else { return nil }
        let length = Int(input[start]) << 16 | Int(input[start + 1]) << 8 | Int(input[start + 2])
        guard length <= AppLinkLimits.framePayload else {
            throw AppLinkError(.framing, "frame of \(length) bytes, the limit is \(AppLinkLimits.framePayload)")
        }
        guard input[start + 5] == 0 else { throw AppLinkError(.framing, "reserved header byte is \(input[start + 5])") }
        let end = start + AppLinkFrame.headerSize + length
        guard input.count >= end else { return nil }
        consumed = end
        return Frame(
            type: input[start + 3], flags: input[start + 4], channel: UInt16(input[start + 6]) << 8 | UInt16(input[start + 7]),
            payload: start + AppLinkFrame.headerSize ..< end)
    }

    private mutating func accept(_ frame: Frame) throws(AppLinkError) -> Message? {
        guard frame.type == AppLinkFrame.message else { return nil }
        guard frame.flags & ~(AppLinkFrame.first | AppLinkFrame.last) == 0 else {
            throw AppLinkError(.framing, "unknown flags \(frame.flags) on a message frame")
        }
        guard frame.channel == 0 else { throw AppLinkError(.framing, "channel \(frame.channel), only 0 exists here") }
        let isFirst = frame.flags & AppLinkFrame.first != 0
        guard isFirst == (gathered == nil) else {
            throw AppLinkError(.framing, isFirst ? "a message starts inside another" : "a continuation without a first fragment")
        }
        guard (gathered?.count ?? 0) + frame.payload.count <= maximumMessage else {
            throw AppLinkError(.messageTooLarge, "more than \(maximumMessage) bytes")
        }
        var message = gathered ?? []
        gathered = nil
        message.append(contentsOf: input[frame.payload])
        guard frame.flags & AppLinkFrame.last != 0 else {
            gathered = message
            return nil
        }
        guard message.count >= 2 else { throw AppLinkError(.framing, "a message of \(message.count) bytes has no type") }
        return Message(type: UInt16(message[0]) << 8 | UInt16(message[1]), body: Array(message[2...]))
    }
}
