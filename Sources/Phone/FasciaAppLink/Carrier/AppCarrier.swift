/// Something that carries the App Link's bytes both ways: a socket between processes, or memory in tests.
public protocol AppCarrier: AnyObject, Sendable {
    /// Starts delivery; call once. `receive` is called on a thread of the carrier's own, one call at a time for `.bytes`
    /// and `.ended`; as long as it does not return, nothing more is read from the other end.
    func start(_ receive: @escaping @Sendable (AppCarrierEvent) -> Void)
    /// Queues bytes; returns at once. Ignored after `close` or the end.
    func send(_ bytes: [UInt8])
    /// Bytes queued and not yet taken by the other end's system.
    var queuedBytes: Int { get }
    /// Waits until the queue is written or `seconds` have passed. Not for the carrier's own thread.
    func drain(seconds: Double)
    /// Ends both directions. Idempotent; what is queued may be lost.
    func close()
}

/// What a carrier tells its user.
public enum AppCarrierEvent: Sendable {
    case bytes([UInt8])
    /// The send queue has just become empty.
    case drained
    /// Nothing follows. nil: the other end closed in order.
    case ended(AppLinkError?)
}
