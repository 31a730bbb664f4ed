/// Frames from a byte stream cut anywhere. Keeps at most one unfinished frame; its memory grows only as its bytes arrive
/// and is used again for the next one.
///
/// The same bytes give the same frames and the same error, however they are cut.
@frozen
public struct FrameParser: Sendable {
    @usableFromInline var scanner: FrameScanner
    /// The header and payload bytes so far of a frame whose end has not arrived.
    @usableFromInline var pending: [UInt8] = []
    /// Set by the first violation; nothing is parsed after it.
    public private(set) var failure: FramingError?

    /// - Parameter maxPayload: longest payload accepted, in bytes.
    public init(maxPayload: Int = FramingLimits.defaultMaxPayload) {
        scanner = FrameScanner(maxPayload: maxPayload)
    }

    /// Longest payload accepted, in bytes; a change holds for the next frame.
    public var maxPayload: Int {
        get { scanner.maxPayload }
        set { scanner.maxPayload = newValue }
    }

    /// Bytes of an unfinished frame that are kept.
    public var pendingBytes: Int { pending.count }

    /// Parses `bytes` and hands every complete frame to `body`, lent until it returns.
    /// - Parameter body: returns false to stop; the rest of `bytes` is then dropped.
    /// - Returns: the violation that ended parsing, now or earlier.
    @inlinable
    @discardableResult
    public mutating func receive(
        _ bytes: UnsafeRawBufferPointer, _ body: (FrameHeader, UnsafeRawBufferPointer) -> Bool
    ) -> FramingError? {
        if failure != nil { return failure }
        var offset = 0
        do throws(FramingError) {
            if !pending.isEmpty {
                guard unsafe try finishPending(bytes, &offset, body) else { return nil }
            }
            while let header = unsafe try scanner.next(bytes, at: &offset) {
                let payload = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset - header.length..<offset])
                guard unsafe body(header, payload) else { return nil }
            }
        } catch {
            fail(error)
            return error
        }
        unsafe keep(bytes, from: offset, count: bytes.count - offset)
        return nil
    }

    /// Completes the frame that began in an earlier call.
    /// - Returns: false when `bytes` ended before it did, or `body` said stop.
    @usableFromInline
    mutating func finishPending(
        _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, _ body: (FrameHeader, UnsafeRawBufferPointer) -> Bool
    ) throws(FramingError) -> Bool {
        if pending.count < FramingLimits.headerSize {
            let missing = min(FramingLimits.headerSize - pending.count, bytes.count - offset)
            unsafe keep(bytes, from: offset, count: missing)
            offset += missing
            if pending.count < FramingLimits.headerSize { return false }
        }
        let header = unsafe pending.withUnsafeBytes { unsafe FrameHeader.load($0, at: 0) }
        if let rule = header.violation(maxPayload: scanner.maxPayload) { throw FramingError(rule, header) }
        let missing = FramingLimits.headerSize + header.length - pending.count
        let taken = min(missing, bytes.count - offset)
        unsafe keep(bytes, from: offset, count: taken)
        offset += taken
        if taken < missing { return false }
        let goOn = unsafe pending.withUnsafeBytes {
            unsafe body(header, UnsafeRawBufferPointer(rebasing: $0[FramingLimits.headerSize...]))
        }
        pending.removeAll(keepingCapacity: true)
        return goOn
    }

    @usableFromInline
    mutating func keep(_ bytes: UnsafeRawBufferPointer, from offset: Int, count: Int) {
        unsafe pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
    }

    @usableFromInline
    mutating func fail(_ error: FramingError) {
        failure = error
        pending = []
    }
}

extension FrameParser {
    /// A complete frame with its own copy of the payload.
    public struct Frame: Hashable, Sendable {
        public let header: FrameHeader
        public let payload: [UInt8]

        public init(header: FrameHeader, payload: [UInt8]) {
            self.header = header
            self.payload = payload
        }
    }

    /// `receive` for callers that do not count copies. Frames before a violation are returned; look at `failure` after it.
    public mutating func frames(_ bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        unsafe bytes.withUnsafeBytes { buffer in
            _ = unsafe receive(buffer) { header, payload in
                unsafe frames.append(Frame(header: header, payload: Array(payload)))
                return true
            }
        }
        return frames
    }
}
