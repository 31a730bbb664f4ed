import Dispatch

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
    var isOnScreen = false { didSet { if isOnScreen != oldValue { keepAsking() } } }

    private var watchdog: Watchdog
    private var rhythm = PingRhythm()
    private let interval: Duration
    private var alarm: (deadline: UInt64, task: Task<Void, Never>)?
    private var asking: Task<Void, Never>?

    init(budgets: AppHostBudgets) {
        watchdog = Watchdog(budgets: budgets)
        interval = max(.milliseconds(10), min(.seconds(1), budgets.update / 4))
    }

    func expect(_ debt: Watchdog.Debt) {
        watchdog.expect(debt, now: Self.now())
        setAlarm()
    }

    func answered(_ debt: Watchdog.Debt) {
        if case .pong(let number) = debt {
            guard let again = rhythm.answered(number) else { return }
            watchdog.answered(debt, now: Self.now())
            if again { sentMessage() }
        } else {
            watchdog.answered(debt, now: Self.now())
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
        watchdog.startAgain(now: Self.now())
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
        guard let deadline = watchdog.deadline else {
            alarm?.task.cancel()
            alarm = nil
            return
        }
        // An alarm that is early only looks and is set anew; with a ping each second most deadlines never come.
        if let alarm, alarm.deadline <= deadline { return }
        alarm?.task.cancel()
        let now = Self.now()
        let wait = Duration.nanoseconds(Int64(clamping: deadline > now ? deadline - now : 0))
        alarm = (deadline, Task { [weak self] in
            guard (try? await Task.sleep(for: wait)) != nil, !Task.isCancelled, let self else { return }
            self.alarm = nil
            self.look()
        })
    }

    private func look() {
        switch watchdog.check(now: Self.now()) {
        case nil: break
        case .warning(let notice): onWarning(notice)
        case .overrun(let notice): return onOverrun(notice)
        }
        setAlarm()
    }

    private func keepAsking() {
        asking?.cancel()
        asking = nil
        guard isOnScreen else { return }
        asking = Task { [weak self, interval] in
            while (try? await Task.sleep(for: interval)) != nil, !Task.isCancelled {
                guard let self else { return }
                if !self.watchdog.isWaiting { self.sentMessage() }
            }
        }
    }

    private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
