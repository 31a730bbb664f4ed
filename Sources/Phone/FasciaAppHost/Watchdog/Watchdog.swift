/// What one app owes the phone, and since when. No clock: times are CLOCK_MONOTONIC nanoseconds given by the caller.
///
/// An app runs its handlers one after another in the order of the messages, so only the oldest debt runs: the time for
/// each begins when all before it are answered. Half the budget is a warning, the whole an overrun.
///
/// ```
///   expect(hello)  expect(connected 1)  expect(pong 7)  expect(disconnected 1)
///        [ hello | connected 1 | pong 7 | disconnected 1 ]
///          ^ its budget runs      ^ theirs begin when they come to the front
/// ```
struct Watchdog {
    enum Debt: Equatable {
        case hello
        case connected(scene: UInt64)
        case pong(UInt64)
        case disconnected(scene: UInt64)
        /// The end of the process.
        case end

        var phase: WatchdogPhase {
            switch self {
            case .hello: .launch
            case .connected: .sceneConnect
            case .pong: .update
            case .disconnected: .sceneDisconnect
            case .end: .terminate
            }
        }
    }

    enum Verdict: Equatable {
        case warning(WatchdogNotice)
        case overrun(WatchdogNotice)
    }

    /// A check that comes later than this after its deadline proves that the phone itself was held up (stopped, or out of
    /// processor time): the app's answer may be waiting unread, so it gets `secondLook` more.
    static let lateCheck: UInt64 = 250_000_000
    static let secondLook: UInt64 = 100_000_000

    private struct Entry {
        let debt: Debt
        /// When it came to the front.
        var since: UInt64
        var isWarned = false
    }

    private let budgets: AppHostBudgets
    private var entries: [Entry] = []

    init(budgets: AppHostBudgets) {
        self.budgets = budgets
    }

    var isWaiting: Bool { !entries.isEmpty }

    func owes(_ debt: Debt) -> Bool { entries.contains { $0.debt == debt } }

    mutating func expect(_ debt: Debt, now: UInt64) { entries.append(Entry(debt: debt, since: now)) }

    /// An answer that is not owed changes nothing.
    mutating func answered(_ debt: Debt, now: UInt64) {
        guard let index = entries.firstIndex(where: { $0.debt == debt }) else { return }
        entries.remove(at: index)
        if index == 0, !entries.isEmpty { entries[0].since = now }
    }

    /// The process is gone, or is being ended for another reason.
    mutating func forgive() { entries = [] }

    /// When to call `check`.
    var deadline: UInt64? {
        guard let first = entries.first else { return nil }
        let budget = nanoseconds(first)
        return first.since + (first.isWarned ? budget : budget / 2)
    }

    mutating func check(now: UInt64) -> Verdict? {
        guard let deadline, now >= deadline else { return nil }
        if now - deadline > Self.lateCheck {
            entries[0].since += now - deadline + Self.secondLook
            return nil
        }
        let entry = entries[0]
        let notice = WatchdogNotice(
            phase: entry.debt.phase, budget: budgets[entry.debt.phase], elapsed: .nanoseconds(Int64(clamping: now - entry.since)))
        if !entry.isWarned {
            entries[0].isWarned = true
            return .warning(notice)
        }
        return .overrun(notice)
    }

    /// The time so far does not count: a debugger holds the app.
    mutating func startAgain(now: UInt64) {
        guard !entries.isEmpty else { return }
        entries[0].since = now
        entries[0].isWarned = false
    }

    private func nanoseconds(_ entry: Entry) -> UInt64 {
        let budget = budgets[entry.debt.phase].components
        let (seconds, overflow) = UInt64(clamping: budget.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        // Longer than a century is for ever; the sum with `since` must not overflow.
        return overflow ? UInt64(Int64.max) : min(seconds &+ UInt64(clamping: budget.attoseconds / 1_000_000_000), UInt64(Int64.max))
    }
}
