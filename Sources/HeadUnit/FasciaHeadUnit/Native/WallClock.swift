import FasciaEvents
import Glibc

/// The time of day as the car shows it.
enum WallClock {
    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]

    /// `9:41`, `Friday 20 November`, and how long the clock stays right, nanoseconds.
    static func read() -> (clock: String, date: String, validFor: UInt64) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let (hour, minute, second, text) = parts(now.tv_sec)
        let left = UInt64(60 - min(59, second)) * 1_000_000_000 - UInt64(min(999_999_999, now.tv_nsec))
        return (time(hour, minute), text, left)
    }

    /// The time of day in `seconds` from now.
    static func time(after seconds: Double) -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let (hour, minute, _, _) = parts(now.tv_sec + Int(max(0, min(86_400, seconds)).rounded(.up)))
        return time(hour, minute)
    }

    private static func time(_ hour: Int, _ minute: Int) -> String { "\(hour):\(minute < 10 ? "0" : "")\(minute)" }

    private static func parts(_ seconds: time_t) -> (hour: Int, minute: Int, second: Int, date: String) {
        var seconds = seconds
        var local = tm()
        localtime_r(&seconds, &local)
        let day = days.indices.contains(Int(local.tm_wday)) ? days[Int(local.tm_wday)] : ""
        let month = months.indices.contains(Int(local.tm_mon)) ? months[Int(local.tm_mon)] : ""
        return (Int(local.tm_hour), Int(local.tm_min), Int(local.tm_sec), "\(day) \(local.tm_mday) \(month)")
    }
}
