import Glibc

/// The time of day as both ends show it, in the locale and time zone of the machine; short, as cars show it: no "AM", no seconds.
public enum WallClock {
    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]

    /// `09:41`, `Friday 20 November`, and how long the clock stays right, nanoseconds.
    public static func read() -> (clock: String, date: String, validFor: UInt64) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let (hour, minute, second, text) = parts(now.tv_sec)
        let left = UInt64(60 - min(59, second)) * 1_000_000_000 - UInt64(min(999_999_999, now.tv_nsec))
        return (time(hour, minute), text, left)
    }

    /// The time of day in `seconds` from now.
    public static func time(after seconds: Double) -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let (hour, minute, _, _) = parts(now.tv_sec + Int(max(0, min(86_400, seconds)).rounded(.up)))
        return time(hour, minute)
    }

    /// 24 hours with two digits, or 12 without "AM".
    private static func time(_ hour: Int, _ minute: Int) -> String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return (isTwelveHour ? "\((hour + 11) % 12 + 1)" : two(hour)) + ":" + two(minute)
    }

    private static let isTwelveHour: Bool = {
        let locale = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { (name: String) in getenv(name).map { String(cString: $0) } }.first { !$0.isEmpty } ?? ""
        let region = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_").dropFirst().first.map(String.init) ?? ""
        return ["US", "CA", "AU", "NZ", "IN", "PK", "BD", "PH", "MY", "EG", "SA", "CO"].contains(region)
    }()

    private static func parts(_ seconds: time_t) -> (hour: Int, minute: Int, second: Int, date: String) {
        var seconds = seconds
        var local = tm()
        localtime_r(&seconds, &local)
        let day = days.indices.contains(Int(local.tm_wday)) ? days[Int(local.tm_wday)] : ""
        let month = months.indices.contains(Int(local.tm_mon)) ? months[Int(local.tm_mon)] : ""
        return (Int(local.tm_hour), Int(local.tm_min), Int(local.tm_sec), "\(day) \(local.tm_mday) \(month)")
    }
}
