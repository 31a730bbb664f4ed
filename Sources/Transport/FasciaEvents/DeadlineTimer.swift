/// Calls back once at a time that may be moved. Main actor only.
@MainActor
public final class DeadlineTimer {
    private let fire: @MainActor () -> Void
    private var task: Task<Void, Never>?
    /// When it fires next.
    public private(set) var deadline: UInt64?

    public init(_ fire: @escaping @MainActor () -> Void) { self.fire = fire }

    /// Nanoseconds of the monotonic clock; nil stops it. The same deadline again costs nothing.
    public func set(_ deadline: UInt64?) {
        guard deadline != self.deadline else { return }
        self.deadline = deadline
        task?.cancel()
        task = nil
        guard let deadline else { return }
        let now = MonotonicClock.now()
        task = Task { [weak self] in
            if deadline > now { try? await Task.sleep(nanoseconds: deadline - now) }
            guard !Task.isCancelled, let self, self.deadline == deadline else { return }
            self.deadline = nil
            self.task = nil
            self.fire()
        }
    }
}
