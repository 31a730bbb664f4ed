import Glibc

/// The one clock of every event file, trace and latency figure: `CLOCK_MONOTONIC`, shared by all processes of a machine.
public enum MonotonicClock {
    /// Nanoseconds since an arbitrary fixed point (boot on Linux); never goes back, does not count suspend.
    public static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
