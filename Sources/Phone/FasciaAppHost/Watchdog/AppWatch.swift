import FasciaEvents

/// Keeps an app's watchdog: asks its main thread, wakes when its time is up. Main actor, monotonic clock.
@MainActor
final class AppWatch {
    /// Sends a Ping of this number.
    var ask: (UInt64) -> Void = { _ in }
    var onWarning: (WatchdogNotice) -> Void = { _ in }
    /// Called once for each overrun; the watch goes on only if `startAgain` is called.
    var onOverrun: (WatchdogNotice) -> Void = { _ in }
    /// Its Hello said that it answers pings.
    var answersPings = false
    /// Its scene is on the screen: timers of the app's own may hang it at any time.
    var isOnScreen = false { didSet { if isOnScreen != oldValue { askLater() } } }

    private var watchdog: Watchdog
    private var rhythm = PingRhythm()
    /// Nanoseconds between pings of an app that owes nothing.
    private let interval: UInt64
    private lazy var alarm = DeadlineTimer { [weak self] in self?.look() }
    private lazy var asking = DeadlineTimer { [weak self] in self?.askAgain() }

    init(budgets: AppHostBudgets) {
        watchdog = Watchdog(budgets: budgets)
        let interval = max(.milliseconds(10), min(.seconds(1), budgets.update / 4))
        self.interval = UInt64(interval / .nanoseconds(1))
    }

    func expect(_ debt: Watchdog.Debt) {
        watchdog.expect(debt, now: MonotonicClock.now())
        setAlarm()
    }

    func answered(_ debt: Watchdog.Debt) {
        if case .pong(let number) = debt {
            guard let again = rhythm.answered(number) else { return }
            watchdog.answered(debt, now: MonotonicClock.now())
            if again { sentMessage() }
        } else {
            watchdog.answered(debt, now: MonotonicClock.now())
        }
        setAlarm()
    }

    /// A message that runs a handler is on its way.
    func sentMessage() {
        guard answersPings, let number = rhythm.due() else { return }
        ask(number)
        expect(.pong(number))
    }

    func owes(_ debt: Watchdog.Debt) -> Bool { watchdog.owes(debt) }

    func startAgain() {
        watchdog.startAgain(now: MonotonicClock.now())
        setAlarm()
    }

    /// Nothing is expected any more.
    func stop() {
        watchdog.forgive()
        isOnScreen = false
        answersPings = false
        setAlarm()
    }

    private func setAlarm() {
        guard let deadline = watchdog.deadline else { return alarm.set(nil) }
        // An alarm that is early only looks and is set anew; with a ping each second most deadlines never come.
        if let set = alarm.deadline, set <= deadline { return }
        alarm.set(deadline)
    }

    private func look() {
        switch watchdog.check(now: MonotonicClock.now()) {
        case nil: break
        case .warning(let notice): onWarning(notice)
        case .overrun(let notice): return onOverrun(notice)
        }
        setAlarm()
    }

    private func askLater() { asking.set(isOnScreen ? MonotonicClock.now() + interval : nil) }

    private func askAgain() {
        if !watchdog.isWaiting { sentMessage() }
        askLater()
    }
}
