import Glibc
import Synchronization

/// A thread that can be joined once, which Foundation's `Thread` cannot.
final class PosixThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let thread: pthread_t
    private let ended = Atomic<Bool>(false)

    /// Starts `body`; nil when the system has no more threads.
    init?(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        guard pthread_create(&thread, nil, { context in
            if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
            return nil
        }, context.toOpaque()) == 0 else {
            context.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits for the end of `body`; on the thread itself, and the second time, returns at once.
    func join() {
        guard !ended.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if pthread_equal(thread, pthread_self()) != 0 { pthread_detach(thread) } else { pthread_join(thread, nil) }
    }

    deinit { if !ended.load(ordering: .acquiring) { pthread_detach(thread) } }
}
