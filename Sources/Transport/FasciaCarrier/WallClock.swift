import Glibc

/// The time of day, for the trust store only.
enum WallClock {
    /// Seconds since 1970-01-01 UTC.
    static func seconds() -> Int64 { Int64(time(nil)) }
}
