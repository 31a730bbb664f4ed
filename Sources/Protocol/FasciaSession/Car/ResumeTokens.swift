/// The tokens that open a session (spec, R-2 and R-5): the last one issued, and the one its Welcome was bought with as long as
/// that Welcome may have been lost. An attempt of several connections offers one token several times: each Welcome it buys brings
/// another, and only the phone knows which of them it got.
struct ResumeTokens: Sendable {
    /// Of the Welcomes that the redeemed token bought.
    private var issued: [[UInt8]]
    private var redeemed: [UInt8]?
    /// When the redeemed one was offered last, nanoseconds; nil when the connection it bought is gone.
    private(set) var redeemedAt: UInt64?
    /// Good no more, newest last.
    private var spent: [[UInt8]] = []
    /// Spent tokens that are remembered, and issued ones that are open: attempts a phone can have under way, and some.
    private static let remembered = 16

    init(_ token: [UInt8]) { issued = [token] }

    /// Whether `token` opens the session now. Takes the same time for every token of the right length.
    func accepts(_ token: [UInt8]) -> Bool {
        let isIssued = Self.contains(issued, token)
        let isRedeemed = isRedeemed(token)
        return isIssued || isRedeemed
    }

    /// Whether a Welcome was bought with `token` already and may have been lost.
    func isRedeemed(_ token: [UInt8]) -> Bool { redeemed.map { Self.equal(token, $0) } ?? false }

    /// `token` was accepted, and `next` is what the phone is told for the time after.
    mutating func redeem(_ token: [UInt8], next: [UInt8], now: UInt64) {
        redeemedAt = now
        if redeemed == token {
            issued = issued.suffix(Self.remembered - 1) + [next]
            return
        }
        spend((redeemed.map { [$0] } ?? []) + issued.filter { $0 != token })
        redeemed = token
        issued = [next]
    }

    /// The connection that the redeemed one bought is gone: who offers it again has waited long enough.
    mutating func carrierLost() { redeemedAt = nil }

    /// The phone has the Welcome: what it paid is worth nothing any more.
    mutating func delivered() {
        if let redeemed { spend([redeemed]) }
        redeemed = nil
    }

    /// Whether `token` was good once.
    func isSpent(_ token: [UInt8]) -> Bool { Self.contains(spent, token) }

    private mutating func spend(_ tokens: [[UInt8]]) { spent = (spent + tokens).suffix(Self.remembered) }

    private static func contains(_ tokens: [[UInt8]], _ token: [UInt8]) -> Bool {
        tokens.reduce(false) { found, one in equal(one, token) || found }
    }

    private static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
