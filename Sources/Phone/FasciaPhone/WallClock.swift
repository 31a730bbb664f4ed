import Foundation

/// The clock on the screen, in the phone's locale and time zone.
enum WallClock {
    static func shortTime(_ date: Date = Date()) -> String { date.formatted(date: .omitted, time: .shortened) }

    /// Time until the minute changes.
    static func untilNextMinute(_ date: Date = Date()) -> Duration {
        .seconds(60 - date.timeIntervalSince1970.truncatingRemainder(dividingBy: 60))
    }
}
