import FasciaEvents
import FasciaThreads
import Foundation
import Synchronization

/// Does something each period, at deadlines that do not move when one was missed. When there is nothing to do it rests until it is
/// woken; what goes by meanwhile is counted in periods too.
final class PacedThread: Sendable {
    /// What a stall may make up for at once, nanoseconds; more is skipped.
    static let largestCatchUp: UInt64 = 500_000_000

    /// Between two periods that are made up for, nanoseconds: who feeds this thread, or takes from it, has been held up too, and needs the
    /// processor now.
    private static let breath: UInt64 = 1_000_000

    /// What is done, on the thread.
    struct Work: Sendable {
        /// Gets the deadline. False: nothing more until `wake`.
        var tick: @Sendable (UInt64) -> Bool
        /// So many periods went by at rest.
        var rested: @Sendable (Int) -> Void = { _ in }
        var atEnd: @Sendable () -> Void = {}
    }

    let period: UInt64
    /// The longest rest that is told of at once, nanoseconds; nil: any.
    private let longestRest: UInt64?
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)
    private let waker = DispatchSemaphore(value: 0)

    private struct State {
        var started = false
        var stopping = false
        /// Since the last tick began.
        var isWoken = false
        var isResting = false
        var statistics = SinkStatistics()
    }

    /// - Parameter period: nanoseconds.
    init(period: UInt64, longestRest: UInt64? = nil) {
        self.period = max(1, period)
        self.longestRest = longestRest
    }

    var statistics: SinkStatistics {
        get { state.withLock(\.statistics) }
    }

    func count(_ change: (inout SinkStatistics) -> Void) { state.withLock { change(&$0.statistics) } }

    /// Runs until `stop`.
    func start(_ name: String, _ work: Work) {
        let first = state.withLock { state in
            defer { state.started = true }
            return !state.started && !state.stopping
        }
        guard first else { return }
        let thread = Thread {
            let precedence = ThreadPrecedence.ask(.realTime, name: name)
            self.count { $0.precedence = precedence }
            self.run(work)
            work.atEnd()
            self.ended.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// There is something to do.
    func wake() {
        let rests = state.withLock { state in
            defer { (state.isWoken, state.isResting) = (true, false) }
            return state.isResting
        }
        if rests { waker.signal() }
    }

    func stop() {
        let waits = state.withLock { state in
            defer { state.stopping = true }
            return state.started && !state.stopping
        }
        guard waits else { return }
        waker.signal()
        ended.wait()
    }

    private func run(_ work: Work) {
        var deadline = MonotonicClock.now()
        while !state.withLock(\.stopping) {
            deadline += period
            let now = MonotonicClock.now()
            if now < deadline {
                MonotonicClock.sleep(until: deadline)
            } else {
                if now - deadline > Self.largestCatchUp { skip(now - deadline, &deadline) }
                MonotonicClock.sleep(until: now + min(Self.breath, period / 4))
            }
            let delay = Int64(MonotonicClock.now()) - Int64(deadline)
            state.withLock { state in
                state.isWoken = false
                state.statistics.largestDelay = max(state.statistics.largestDelay, delay)
                if delay > Int64(period) { state.statistics.missedDeadlines += 1 }
            }
            if !work.tick(deadline) { rest(&deadline, work) }
        }
    }

    private func rest(_ deadline: inout UInt64, _ work: Work) {
        var isOver = false
        while !isOver {
            let rests = state.withLock { state in
                state.isResting = !state.isWoken && !state.stopping
                return state.isResting
            }
            if rests { _ = waker.wait(timeout: longestRest.map { .now() + .nanoseconds(Int($0)) } ?? .distantFuture) }
            isOver = state.withLock { state in
                state.isResting = false
                return state.isWoken || state.stopping
            }
            var passed = (max(MonotonicClock.now(), deadline) - deadline) / period
            if let longestRest, passed * period > longestRest + Self.largestCatchUp { // the process was stopped meanwhile
                skip((passed - longestRest / period) * period, &deadline)
                passed = longestRest / period
            }
            deadline += passed * period
            if passed > 0 { work.rested(Int(passed)) }
        }
    }

    private func skip(_ time: UInt64, _ deadline: inout UInt64) {
        deadline += time
        count { $0.skipped += Int64(time) }
    }
}

extension MonotonicClock {
    /// Until this time of `now()`.
    static func sleep(until time: UInt64) {
        var wanted = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wanted, nil) == EINTR {}
    }
}
