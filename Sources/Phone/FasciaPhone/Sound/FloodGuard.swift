/// Says when an app sends more than any that works could: so many datagrams, and so much sound, in its time.
struct FloodGuard {
    /// Datagrams a second that no three streams of the shortest packets need.
    private static let rate = 2_000.0
    private static let burst = 4_000.0
    /// Nanoseconds of one stream's sound that may come before its time. What is made after a stall comes at once, but bounded.
    private static let ahead: Double = 2e9

    private var datagrams = Self.burst
    private var last: UInt64?

    /// Nanoseconds of sound by stream that came beyond the time that passed.
    struct Surplus {
        private var amount = 0.0
        private var last: UInt64?

        /// False: too much.
        mutating func take(_ sound: UInt64, now: UInt64) -> Bool {
            amount = max(0, amount - Double(now &- (last ?? now))) + Double(sound)
            last = now
            return amount <= FloodGuard.ahead
        }
    }

    /// False: too many.
    mutating func take(now: UInt64) -> Bool {
        datagrams = min(Self.burst, datagrams + Double(now &- (last ?? now)) / 1e9 * Self.rate) - 1
        last = now
        return datagrams >= 0
    }
}
