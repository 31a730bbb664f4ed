/// Finds frames in a buffer without copying: the fast path under `FrameParser`.
@frozen
public struct FrameScanner: Sendable {
    /// The limit in force for this receiver, in bytes.
    public var maxPayload: Int

    @inlinable
    public init(maxPayload: Int = FramingLimits.defaultMaxPayload) { self.maxPayload = maxPayload }

    /// The frame at `offset`, which then moves past it, so that its payload is the `length` bytes before the new `offset`;
    /// nil when the buffer ends before the frame does.
    /// A header that breaks a rule throws even when its payload has not arrived; `offset` stays.
    @inlinable
    public func next(_ bytes: UnsafeRawBufferPointer, at offset: inout Int) throws(FramingError) -> FrameHeader? {
        let left = bytes.count - offset
        if left < 8 { return nil }
        let header = unsafe FrameHeader.load(bytes, at: offset)
        if let rule = header.violation(maxPayload: maxPayload) { throw FramingError(rule, header) }
        let size = 8 + header.length
        if left < size { return nil }
        offset += size
        return header
    }
}
