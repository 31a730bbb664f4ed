import Dispatch

/// Calls back once at a time that may be moved. Main actor only.
///
/// One timer of the system, moved: a task that sleeps leaves its sleep behind when it is cancelled, until the time it was for, and a peer
/// that has a deadline moved thousands of times a second would fill the memory with them.
@MainActor
public final class DeadlineTimer {
    private let fire: @MainActor () -> Void
    private var source: (any DispatchSourceTimer)?
    /// When it fires next.
    public private(set) var deadline: UInt64?

    public init(_ fire: @escaping @MainActor () -> Void) { self.fire = fire }

    isolated deinit { source?.cancel() }

    /// Nanoseconds of the monotonic clock; nil stops it. The same deadline again costs nothing.
    public func set(_ deadline: UInt64?) {
        guard deadline != self.deadline else { return }
        self.deadline = deadline
        arm()
    }

    private func arm() {
        guard let deadline else {
            source?.schedule(deadline: .distantFuture)
            return
        }
        let now = MonotonicClock.now()
        let rest = DispatchTimeInterval.nanoseconds(Int(clamping: deadline > now ? deadline - now : 0))
        let source = source ?? make()
        source.schedule(deadline: .now() + rest, leeway: .nanoseconds(0))
        guard self.source == nil else { return }
        self.source = source
        source.activate()
    }

    private func make() -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.reached() } }
        return source
    }

    /// May come for a time that has been moved since.
    private func reached() {
        guard let deadline else { return }
        if MonotonicClock.now() < deadline { return arm() }
        self.deadline = nil
        fire()
    }
}
