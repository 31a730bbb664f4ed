import CAvahi
import Glibc

/// Avahi's event loop as the code on its thread sees it: the poll API for C objects, timers, and "later".
///
/// Confined to the avahi thread.
final class AvahiLoop {
    let poll: UnsafePointer<AvahiPoll>
    private var timers: [ObjectIdentifier: AvahiTimer] = [:]

    init(poll: UnsafePointer<AvahiPoll>) { self.poll = poll }

    /// Runs `body` once, `milliseconds` from now, unless the timer is cancelled or the loop ends before.
    @discardableResult
    func after(milliseconds: UInt32, _ body: @escaping () -> Void) -> AvahiTimer {
        let timer = AvahiTimer(loop: self, milliseconds: milliseconds, body: body)
        timers[ObjectIdentifier(timer)] = timer
        return timer
    }

    /// Runs `body` when the C callback that is running has returned: the only safe place to free the object that called.
    func later(_ body: @escaping () -> Void) { after(milliseconds: 0, body) }

    /// Runs `body` whenever the descriptor can be read, until the watch is cancelled, which must be before the loop ends.
    func watch(_ descriptor: Int32, _ body: @escaping () -> Void) -> AvahiReadWatch { AvahiReadWatch(poll, descriptor, body) }

    func cancelAll() { for timer in timers.values { timer.cancel() } }

    fileprivate func ended(_ timer: AvahiTimer) { timers[ObjectIdentifier(timer)] = nil }
}

/// One timer of an `AvahiLoop`, kept alive by it until it fires or is cancelled.
final class AvahiTimer {
    private unowned let loop: AvahiLoop
    private var handle: OpaquePointer?
    private var body: (() -> Void)?

    fileprivate init(loop: AvahiLoop, milliseconds: UInt32, body: @escaping () -> Void) {
        self.loop = loop
        self.body = body
        var deadline = timeval()
        avahi_elapse_time(&deadline, milliseconds, 0)
        handle = loop.poll.pointee.timeout_new(loop.poll, &deadline, { _, context in
            guard let context else { return }
            Unmanaged<AvahiTimer>.fromOpaque(context).takeUnretainedValue().fire()
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func fire() {
        let body = body
        cancel()
        body?()
    }

    func cancel() {
        guard let handle else { return }
        loop.poll.pointee.timeout_free(handle)
        self.handle = nil
        body = nil
        loop.ended(self)
    }
}

/// A descriptor an `AvahiLoop` reads for its owner.
final class AvahiReadWatch {
    private let poll: UnsafePointer<AvahiPoll>
    private let body: () -> Void
    private var handle: OpaquePointer?

    fileprivate init(_ poll: UnsafePointer<AvahiPoll>, _ descriptor: Int32, _ body: @escaping () -> Void) {
        self.poll = poll
        self.body = body
        handle = poll.pointee.watch_new(poll, descriptor, AVAHI_WATCH_IN, { _, _, _, context in
            guard let context else { return }
            Unmanaged<AvahiReadWatch>.fromOpaque(context).takeUnretainedValue().body()
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    func cancel() {
        if let handle { poll.pointee.watch_free(handle) }
        handle = nil
    }
}
