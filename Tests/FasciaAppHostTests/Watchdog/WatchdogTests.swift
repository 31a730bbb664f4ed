@testable import FasciaAppHost
import Testing

/// One line a step; times in milliseconds.
struct WatchdogTests {
    private var watchdog: Watchdog

    init() {
        var budgets = AppHostBudgets()
        budgets.launch = .seconds(20)
        budgets.update = .seconds(10)
        budgets.sceneDisconnect = .seconds(5)
        budgets.terminate = .seconds(2)
        watchdog = Watchdog(budgets: budgets)
    }

    private mutating func expect(_ debt: Watchdog.Debt, at ms: UInt64) { watchdog.expect(debt, now: ms * 1_000_000) }
    private mutating func answered(_ debt: Watchdog.Debt, at ms: UInt64) { watchdog.answered(debt, now: ms * 1_000_000) }
    private mutating func check(at ms: UInt64) -> Watchdog.Verdict? { watchdog.check(now: ms * 1_000_000) }
    private var deadline: UInt64? { watchdog.deadline.map { $0 / 1_000_000 } }

    private func notice(_ phase: WatchdogPhase, _ budget: Int, _ elapsed: Int) -> WatchdogNotice {
        WatchdogNotice(phase: phase, budget: .seconds(budget), elapsed: .milliseconds(elapsed))
    }

    @Test mutating func halfIsAWarningTheWholeAnOverrun() {
        expect(.hello, at: 1_000)
        #expect(deadline == 11_000)
        #expect(check(at: 10_999) == nil)
        #expect(check(at: 11_000) == .warning(notice(.launch, 20, 10_000)))
        #expect(check(at: 11_001) == nil)
        #expect(deadline == 21_000)
        #expect(check(at: 21_003) == .overrun(notice(.launch, 20, 20_003)))
    }

    @Test mutating func nothingOwedNothingDue() {
        #expect(deadline == nil)
        #expect(check(at: 99_000) == nil)
        expect(.hello, at: 0)
        answered(.hello, at: 5)
        #expect(deadline == nil)
        answered(.hello, at: 6)
        answered(.pong(3), at: 7)
        #expect(deadline == nil)
    }

    /// Handlers run one after another: the disconnect's five seconds begin when the connect handler has returned.
    @Test mutating func onlyTheOldestDebtRuns() {
        expect(.connected(scene: 1), at: 0)
        expect(.disconnected(scene: 1), at: 1_000)
        #expect(deadline == 5_000)
        #expect(check(at: 5_000) == .warning(notice(.sceneConnect, 10, 5_000)))
        answered(.connected(scene: 1), at: 8_000)
        #expect(deadline == 10_500)
        #expect(check(at: 10_500) == .warning(notice(.sceneDisconnect, 5, 2_500)))
        #expect(check(at: 13_000) == .overrun(notice(.sceneDisconnect, 5, 5_000)))
    }

    @Test mutating func anAnswerOutOfOrderPaysOnlyItself() {
        expect(.connected(scene: 1), at: 0)
        expect(.pong(1), at: 10)
        answered(.pong(1), at: 20)
        #expect(deadline == 5_000)
        answered(.connected(scene: 2), at: 30)
        #expect(deadline == 5_000)
    }

    /// The phone was stopped, or had no processor time: the answer may lie unread in its own queue.
    @Test mutating func aLateCheckBlamesNobody() {
        expect(.pong(1), at: 0)
        #expect(check(at: 5_000) == .warning(notice(.update, 10, 5_000)))
        #expect(check(at: 60_000) == nil)
        #expect(deadline == 60_100)
        #expect(check(at: 60_100) == .overrun(notice(.update, 10, 10_000)))
    }

    @Test mutating func aDebuggerStopsTheClock() {
        expect(.pong(1), at: 0)
        _ = check(at: 5_000)
        guard case .overrun? = check(at: 10_000) else { return #expect(Bool(false)) }
        watchdog.startAgain(now: 10_000_000_000)
        #expect(deadline == 15_000)
    }

    @Test mutating func forgivenDebtsAreNoMore() {
        expect(.connected(scene: 1), at: 0)
        expect(.end, at: 0)
        watchdog.forgive()
        #expect(deadline == nil)
        watchdog.startAgain(now: 0)
        #expect(!watchdog.isWaiting)
    }

    @Test func budgetsAreNotTooLongToAdd() {
        var budgets = AppHostBudgets()
        budgets.launch = .seconds(Int64.max)
        var watchdog = Watchdog(budgets: budgets)
        watchdog.expect(.hello, now: UInt64(Int64.max))
        #expect(watchdog.deadline != nil)
    }

    @Test func onePingAtATime() {
        var rhythm = PingRhythm()
        #expect(rhythm.due() == 1)
        #expect(rhythm.due() == nil)
        #expect(rhythm.answered(2) == nil)
        #expect(rhythm.answered(1) == true, "something was sent meanwhile")
        #expect(rhythm.due() == 2)
        #expect(rhythm.answered(2) == false)
        #expect(rhythm.answered(2) == nil)
    }
}
