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
