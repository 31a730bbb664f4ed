import Synchronization

/// Two carriers joined in memory: what one sends, the other receives, in order, in the sender's thread.
/// Bytes sent to an end that has not started wait for it.
public final class InMemoryCarrier: AppCarrier {
    private struct State {
        var receive: (@Sendable (AppCarrierEvent) -> Void)?
        var waiting: [AppCarrierEvent] = []
        var delivering = false
        var closed = false
    }

    private let state = Mutex(State())
    private let other = Mutex<WeakCarrier>(WeakCarrier())

    private struct WeakCarrier {
        weak var carrier: InMemoryCarrier?
    }

    private init() {}

    /// A joined pair. Each end is kept alive by its user; an end that is gone closes the other.
    public static func pair() -> (InMemoryCarrier, InMemoryCarrier) {
        let (a, b) = (InMemoryCarrier(), InMemoryCarrier())
        a.other.withLock { $0.carrier = b }
        b.other.withLock { $0.carrier = a }
        return (a, b)
    }

    deinit {
        other.withLock { $0.carrier }?.deliver(.ended(nil))
    }

    public var queuedBytes: Int { 0 }

    public func drain(seconds: Double) {}

    public func start(_ receive: @escaping @Sendable (AppCarrierEvent) -> Void) {
        state.withLock { $0.receive = receive }
        pump()
    }

    public func send(_ bytes: [UInt8]) {
        guard !state.withLock({ $0.closed }) else { return }
        other.withLock { $0.carrier }?.deliver(.bytes(bytes))
    }

    public func close() {
        let first = state.withLock { state in
            defer { state.closed = true }
            return !state.closed
        }
        guard first else { return }
        other.withLock { $0.carrier }?.deliver(.ended(nil))
    }

    private func deliver(_ event: AppCarrierEvent) {
        state.withLock { $0.waiting.append(event) }
        pump()
    }

    /// Hands waiting events over, one at a time: a receiver that answers from inside its callback does not nest.
    private func pump() {
        while true {
            let next: (AppCarrierEvent, @Sendable (AppCarrierEvent) -> Void)? = state.withLock { state in
                guard !state.delivering, let receive = state.receive, !state.waiting.isEmpty else { return nil }
                state.delivering = true
                return (state.waiting.removeFirst(), receive)
            }
            guard let (event, receive) = next else { return }
            receive(event)
            state.withLock { $0.delivering = false }
        }
    }
}
