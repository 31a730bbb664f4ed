import FasciaFraming

/// Turns received bytes back into messages. Feed it any chunking of the stream; after an error it stays failed, once the
/// messages before the error are taken. Only MESSAGE frames on channel 0 count (`spec/applink.md`, AF-3 and AF-4).
///
/// Memory: never more than the bytes that arrived, and for one message never more than `maximumMessage`.
public struct AppLinkDecoder: Sendable {
    /// One whole message, its type split off.
    public struct Message: Sendable, Equatable {
        public let type: UInt16
        public let body: [UInt8]
    }

    private var parser = FrameParser(maxPayload: AppLinkLimits.framePayload)
    private var assembler: MessageAssembler
    private var messages: [Message] = []
    private var failure: AppLinkError?

    /// - Parameter maximumMessage: bytes of the largest message to accept, type included.
    public init(maximumMessage: Int) {
        assembler = MessageAssembler(maxMessage: maximumMessage)
    }

    /// True between messages: a stream that ends here lost nothing.
    public var isAtBoundary: Bool { parser.pendingBytes == 0 && !assembler.isAssembling && messages.isEmpty }

    /// Adds bytes of the stream; then drain `nextMessage()`.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        guard failure == nil else { return }
        // Moved out, not copied: an unfinished message may be megabytes.
        var assembler = MessageAssembler(maxMessage: 0)
        var messages: [Message] = []
        swap(&assembler, &self.assembler)
        swap(&messages, &self.messages)
        var failure: AppLinkError?
        let violation = Array(bytes).withUnsafeBytes { buffer in
            parser.receive(buffer) { header, payload in
                guard header.isMessage else { return true }
                guard header.channel == 0 else {
                    failure = AppLinkError(.framing, "channel \(header.channel), only 0 exists here")
                    return false
                }
                do throws(FramingError) {
                    switch try assembler.accept(header, payload) {
                    case .partial: break
                    case .whole(let type): messages.append(Message(type: type, body: Array(payload.dropFirst(FramingLimits.messageTypeSize))))
                    case .assembled(let type): messages.append(Message(type: type, body: assembler.take()))
                    }
                    return true
                } catch {
                    failure = AppLinkError(error)
                    return false
                }
            }
        }
        swap(&assembler, &self.assembler)
        swap(&messages, &self.messages)
        self.failure = failure ?? violation.map { AppLinkError($0) }
    }

    /// The next whole message, nil when more bytes are needed.
    /// - Throws: `AppLinkError` for bytes that break the framing rules; the same error again on every later call.
    public mutating func nextMessage() throws(AppLinkError) -> Message? {
        if !messages.isEmpty { return messages.removeFirst() }
        if let failure { throw failure }
        return nil
    }
}

extension AppLinkError {
    fileprivate init(_ error: FramingError) {
        self.init(error.rule == .messageTooLarge ? .messageTooLarge : .framing, "\(error)")
    }
}
