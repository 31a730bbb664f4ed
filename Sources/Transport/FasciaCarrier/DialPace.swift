/// How often the addresses of a head unit are tried.
public struct DialPace: Hashable, Sendable {
    /// Between two attempts at one address; `nil`: one attempt, as long as it takes.
    let interval: Duration?
    /// Attempts at one address under way at a time; the oldest goes for a new one.
    let window: Int

    /// One attempt at each address, all at once, each with the dialer's timeouts; an error when none is left.
    public static let patient = DialPace(interval: nil, window: 1)

    /// A new attempt at every address each interval, so that a path that comes back is found within it and not by TCP's next
    /// retransmission. Goes on until the head unit answers, yes or no, or the task is cancelled.
    public static func racing(every interval: Duration = .milliseconds(10), window: Int = 40) -> DialPace {
        DialPace(interval: max(interval, .milliseconds(1)), window: max(window, 1))
    }
}
