import FasciaEvents
import Foundation
import Synchronization

/// Does something each period, at deadlines that do not move when one was missed.
final class PacedThread: Sendable {
    /// What a stall may make up for at once, nanoseconds; more is skipped.
    static let largestCatchUp: UInt64 = 500_000_000

    let period: UInt64
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    private struct State {
        var started = false
        var stopping = false
        var statistics = SinkStatistics()
    }

    /// - Parameter period: nanoseconds.
    init(period: UInt64) { self.period = max(1, period) }

    var statistics: SinkStatistics {
        get { state.withLock(\.statistics) }
    }

    func count(_ change: (inout SinkStatistics) -> Void) { state.withLock { change(&$0.statistics) } }

    /// - Parameter tick: gets the deadline; runs until `stop`.
    func start(_ name: String, _ tick: @escaping @Sendable (UInt64) -> Void, atEnd: @escaping @Sendable () -> Void = {}) {
        let first = state.withLock { state in
            defer { state.started = true }
            return !state.started && !state.stopping
        }
        guard first else { return }
        let thread = Thread {
            RealTime.ask()
            self.run(tick)
            atEnd()
            self.ended.signal()
        }
        thread.name = name
        thread.stackSize = 512 << 10
        thread.start()
    }

    func stop() {
        let waits = state.withLock { state in
            defer { state.stopping = true }
            return state.started && !state.stopping
        }
        guard waits else { return }
        ended.wait()
    }

    private func run(_ tick: (UInt64) -> Void) {
        var deadline = MonotonicClock.now()
        while !state.withLock(\.stopping) {
            deadline += period
            let now = MonotonicClock.now()
            if now < deadline {
                MonotonicClock.sleep(until: deadline)
            } else if now - deadline > Self.largestCatchUp {
                let skipped = now - deadline
                deadline = now
                count { $0.skipped += Int64(skipped) }
            }
            let delay = Int64(MonotonicClock.now()) - Int64(deadline)
            count { statistics in
                statistics.largestDelay = max(statistics.largestDelay, delay)
                if delay > Int64(period) { statistics.missedDeadlines += 1 }
            }
            tick(deadline)
        }
    }
}

extension MonotonicClock {
    /// Until this time of `now()`.
    static func sleep(until time: UInt64) {
        var wanted = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wanted, nil) == EINTR {}
    }
}

/// Precedence over other threads for the calling one, where the system grants it.
enum RealTime {
    static func ask() {
        var parameters = sched_param(sched_priority: 5)
        _ = pthread_setschedparam(pthread_self(), SCHED_RR, &parameters)
    }
}
