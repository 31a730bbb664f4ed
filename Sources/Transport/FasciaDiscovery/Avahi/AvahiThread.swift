import CAvahi
import Glibc
import Synchronization

/// A thread that runs an Avahi event loop and owns everything that lives on it.
///
/// Avahi is not thread safe, so `State`, with all C objects, is made, used and closed on this thread only; other
/// threads `submit` work to it. The thread ends with `stop` or when this handle goes away.
final class AvahiThread<State>: Sendable {
    /// What both sides hold.
    private final class Mailbox: Sendable {
        struct Contents {
            var commands: [@Sendable (State) -> Void] = []
            var stopping = false
        }
        let contents = Mutex(Contents())
        let wakeup: EventDescriptor
        init(wakeup: EventDescriptor) { self.wakeup = wakeup }
    }

    private let mailbox: Mailbox
    private let thread: PosixThread

    /// - Parameters:
    ///   - make: builds the state, on the thread.
    ///   - finish: closes it, on the thread, last.
    init(make: @escaping @Sendable (AvahiLoop) -> State, finish: @escaping @Sendable (State) -> Void) throws(DiscoveryError) {
        guard let wakeup = EventDescriptor(), let poll = SimplePoll() else {
            throw .embeddedUnavailable("no event loop: out of file descriptors or memory")
        }
        let mailbox = Mailbox(wakeup: wakeup)
        guard let thread = PosixThread({ Self.run(poll, mailbox, make, finish) }) else {
            throw .embeddedUnavailable("the system has no more threads")
        }
        self.mailbox = mailbox
        self.thread = thread
    }

    deinit { stop() }

    /// Runs `body` on the thread, in order of submission; dropped once the thread is stopping.
    func submit(_ body: @escaping @Sendable (State) -> Void) {
        mailbox.contents.withLock { if !$0.stopping { $0.commands.append(body) } }
        mailbox.wakeup.signal()
    }

    /// Closes the state and ends the thread; returns when that is done (milliseconds: goodbyes are sent), or at once
    /// when called on the thread itself, which then ends by itself.
    func stop() {
        mailbox.contents.withLock { $0.stopping = true }
        mailbox.wakeup.signal()
        thread.join()
    }

    private static func run(_ simplePoll: SimplePoll, _ mailbox: Mailbox, _ make: (AvahiLoop) -> State, _ finish: (State) -> Void) {
        guard let poll = avahi_simple_poll_get(simplePoll.pointer) else { return }
        let loop = AvahiLoop(poll: poll)
        let state = make(loop)
        // The watch only makes the loop return; commands run between iterations, outside any Avahi callback.
        let watch = poll.pointee.watch_new(poll, mailbox.wakeup.descriptor, AVAHI_WATCH_IN, { _, descriptor, _, _ in
            var count: eventfd_t = 0
            eventfd_read(descriptor, &count)
        }, nil)
        while true {
            let (commands, stopping) = mailbox.contents.withLock { contents in
                defer { contents.commands = [] }
                return (contents.commands, contents.stopping)
            }
            for command in commands { command(state) }
            if stopping || avahi_simple_poll_iterate(simplePoll.pointer, -1) != 0 { break }
        }
        finish(state)
        loop.cancelAll()
        if let watch { poll.pointee.watch_free(watch) }
    }
}

/// An eventfd: wakes the loop from other threads. (Avahi's own wake-up loses its flag in a race and then spins.)
private final class EventDescriptor: Sendable {
    let descriptor: Int32

    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { return nil }
    }

    func signal() { eventfd_write(descriptor, 1) }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The C loop, made before its thread so that failing to make it is an error of `init`.
private final class SimplePoll: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer // used on the avahi thread only

    init?() {
        guard let pointer = avahi_simple_poll_new() else { return nil }
        self.pointer = pointer
    }

    deinit { avahi_simple_poll_free(pointer) }
}
