/// When to ask an app's main thread whether it still turns: right behind whatever runs a handler, and now and then while its
/// scene is on the screen, for its own timers. One question at a time (spec/applink.md AM-13).
struct PingRhythm {
    private var last: UInt64 = 0
    private var outstanding = false
    /// Something was sent behind the question that is out.
    private var another = false

    /// A message that runs a handler was sent, or the interval is over.
    /// - Returns: the number to ask with now; nil while one is out.
    mutating func due() -> UInt64? {
        guard !outstanding else {
            another = true
            return nil
        }
        outstanding = true
        another = false
        last += 1
        return last
    }

    /// - Returns: nil for an answer to nothing; else whether to ask again at once.
    mutating func answered(_ number: UInt64) -> Bool? {
        guard outstanding, number == last else { return nil }
        outstanding = false
        return another
    }
}
