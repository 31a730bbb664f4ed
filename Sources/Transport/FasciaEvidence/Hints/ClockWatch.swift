import CNetlink
import Glibc

/// Tells when the wall clock is set, by a timer that the kernel cancels then (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). Slow
/// corrections, as NTP makes them, do not count. Confined to its caller's queue.
final class ClockWatch {
    /// To be polled for reading.
    let descriptor: Int32
    private var offset: Int64

    init?() {
        descriptor = timerfd_create(CLOCK_REALTIME, fascia_timer_open_flags)
        offset = Self.currentOffset()
        guard descriptor >= 0 else { return nil }
        guard arm() else {
            close(descriptor)
            return nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Nanoseconds the wall clock was moved by since the last call; nil when it was not.
    func read() -> Int64? {
        var expirations: UInt64 = 0
        guard Glibc.read(descriptor, &expirations, MemoryLayout<UInt64>.size) < 0, errno == ECANCELED else { return nil }
        _ = arm()
        let now = Self.currentOffset()
        defer { offset = now }
        return now &- offset
    }

    /// For the end of time: only the cancelling matters.
    private func arm() -> Bool {
        var never = itimerspec()
        never.it_value.tv_sec = Int.max / 2_000_000_000
        return timerfd_settime(descriptor, fascia_timer_step_flags, &never, nil) == 0
    }

    private static func currentOffset() -> Int64 {
        var wall = timespec()
        var monotonic = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        clock_gettime(CLOCK_MONOTONIC, &monotonic)
        return Int64(wall.tv_sec &- monotonic.tv_sec) &* 1_000_000_000 &+ Int64(wall.tv_nsec &- monotonic.tv_nsec)
    }
}
