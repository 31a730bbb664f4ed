import Foundation

/// The clock on the screen, in the phone's locale and time zone; short, as cars show it: no "AM", no seconds.
enum WallClock {
    static func shortTime(_ date: Date = Date()) -> String {
        date.formatted(.dateTime.hour(.defaultDigits(amPM: .omitted)).minute(.twoDigits))
    }

    /// Time until the minute changes.
    static func untilNextMinute(_ date: Date = Date()) -> Duration {
        .seconds(60 - date.timeIntervalSince1970.truncatingRemainder(dividingBy: 60))
    }
}
