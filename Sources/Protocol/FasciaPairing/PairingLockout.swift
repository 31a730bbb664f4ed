/// How often the code may be guessed (spec 4.4, P-12): the fifth wrong code in a row locks pairing, each further one for
/// twice as long.
///
/// A million codes and one guess an hour in the long run: a guesser needs lifetimes. Time is CLOCK_BOOTTIME in
/// nanoseconds, which no setting of the wall clock moves; after a reboot a lock begins again in full.
public struct PairingLockout: Sendable, Equatable {
    /// PAIRING_ATTEMPTS (spec 13).
    public static let attemptsBeforeLock = 5
    /// LOCK_FIRST, nanoseconds.
    public static let firstLock: UInt64 = 30_000_000_000
    /// LOCK_MAX, nanoseconds.
    public static let longestLock: UInt64 = 3_600_000_000_000

    /// Wrong codes in a row.
    public private(set) var failures: Int
    /// When the last lock began.
    public private(set) var lockedAt: UInt64
    /// The boot `lockedAt` belongs to (`/proc/sys/kernel/random/boot_id`).
    public private(set) var bootID: String

    public init(failures: Int = 0, lockedAt: UInt64 = 0, bootID: String = "") {
        self.failures = max(0, failures)
        self.lockedAt = lockedAt
        self.bootID = bootID
    }

    /// Whether an attempt may begin.
    public enum Verdict: Sendable, Equatable {
        case allowed
        /// For so many nanoseconds more.
        case locked(UInt64)
    }

    /// To be called after reading the state of an earlier process.
    public mutating func resume(now: UInt64, bootID: String) {
        if bootID != self.bootID || now < lockedAt { lockedAt = now }
        self.bootID = bootID
    }

    /// Whether an attempt may begin now.
    public func verdict(now: UInt64) -> Verdict {
        let duration = Self.duration(failures)
        let elapsed = now >= lockedAt ? now - lockedAt : 0
        return elapsed >= duration ? .allowed : .locked(duration - elapsed)
    }

    /// Counts an attempt as failed before its outcome is known: who breaks off in the middle has had his guess.
    public mutating func attemptBegan(now: UInt64) {
        failures += 1
        if failures >= Self.attemptsBeforeLock { lockedAt = now }
    }

    /// A right confirmation came: all failures are forgiven (P-12).
    public mutating func attemptSucceeded() { failures = 0 }

    /// The lock that so many failures in a row lead to.
    static func duration(_ failures: Int) -> UInt64 {
        guard failures >= attemptsBeforeLock else { return 0 }
        let doublings = min(failures - attemptsBeforeLock, 20)
        return min(firstLock << UInt64(doublings), longestLock)
    }
}
