import Dispatch
import FasciaAppRuntime
import Synchronization

/// The completion block handed to a selection handler. May be called late, never, twice or from any thread.
enum SelectionCompletion {
    static func make(_ selection: UInt64) -> @Sendable () -> Void {
        let once = Once()
        return {
            guard once.first() else { return }
            if Thread.isMainThread {
                MainActor.assumeIsolated { AppSession.shared.completeSelection(selection) }
            } else {
                DispatchQueue.main.async { MainActor.assumeIsolated { AppSession.shared.completeSelection(selection) } }
            }
        }
    }

    private final class Once: Sendable {
        private let done = Atomic(false)
        func first() -> Bool { done.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged }
    }
}
