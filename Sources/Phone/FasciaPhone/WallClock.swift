import Foundation

/// The clock on the screen, in the phone's locale and time zone; short, as cars show it: no "AM", no seconds.
enum WallClock {
    static func shortTime(_ date: Date = Date()) -> String {
        guard !hasLocale else { return date.formatted(.dateTime.hour(.defaultDigits(amPM: .omitted)).minute(.twoDigits)) }
        // Without a locale Foundation takes an American one, the car's own clock the day of 24 hours.
        return date.formatted(Date.VerbatimFormatStyle(format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)", timeZone: .current, calendar: .current))
    }

    private static var hasLocale: Bool {
        let environment = ProcessInfo.processInfo.environment
        let name = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        return name.contains("_")
    }

    /// Time until the minute changes.
    static func untilNextMinute(_ date: Date = Date()) -> Duration {
        .seconds(60 - date.timeIntervalSince1970.truncatingRemainder(dividingBy: 60))
    }
}
