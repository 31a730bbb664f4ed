import Testing

@testable import FasciaPairing

struct PairingLockoutTests {
    let second: UInt64 = 1_000_000_000

    func after(_ failures: Int, at now: UInt64 = 0) -> PairingLockout {
        var lockout = PairingLockout(bootID: "a")
        for _ in 0..<failures { lockout.attemptBegan(now: now) }
        return lockout
    }

    @Test func fourWrongCodesDoNotLock() { #expect(after(4).verdict(now: 0) == .allowed) }

    @Test func fifthLocksForHalfAMinute() {
        let lockout = after(5, at: 100 * second)
        #expect(lockout.verdict(now: 100 * second) == .locked(30 * second))
        #expect(lockout.verdict(now: 129 * second) == .locked(1 * second))
        #expect(lockout.verdict(now: 130 * second) == .allowed)
    }

    @Test(arguments: [(5, 30), (6, 60), (7, 120), (8, 240), (11, 1920), (12, 3600), (500, 3600)])
    func locksGrow(_ failures: Int, _ seconds: UInt64) { #expect(after(failures).verdict(now: 0) == .locked(seconds * second)) }

    @Test func successForgives() {
        var lockout = after(5)
        lockout.attemptSucceeded()
        #expect(lockout.verdict(now: 0) == .allowed)
        for _ in 0..<4 { lockout.attemptBegan(now: 0) }
        #expect(lockout.verdict(now: 0) == .allowed)
    }

    @Test func restartOfTheProcessKeepsTheLock() {
        var lockout = after(5, at: 100 * second)
        lockout.resume(now: 110 * second, bootID: "a")
        #expect(lockout.verdict(now: 110 * second) == .locked(20 * second))
    }

    @Test func restartOfTheMachineBeginsItAgain() {
        var lockout = after(5, at: 100 * second)
        lockout.resume(now: 3 * second, bootID: "b")
        #expect(lockout.verdict(now: 3 * second) == .locked(30 * second))
    }
}
