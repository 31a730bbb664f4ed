/// The tokens that open a session (spec, R-2 and R-5): the last one issued, and the one its Welcome was bought with as long as
/// that Welcome may have been lost.
struct ResumeTokens: Sendable {
    private(set) var issued: [UInt8]
    private var redeemed: [UInt8]?
    /// Good no more, newest last.
    private var spent: [[UInt8]] = []
    /// Spent tokens that are remembered: attempts a phone can have under way when one of them wins, and some.
    private static let remembered = 16

    init(_ token: [UInt8]) { issued = token }

    /// Whether `token` opens the session now. Takes the same time for every token of the right length.
    func accepts(_ token: [UInt8]) -> Bool {
        let isIssued = Self.equal(token, issued)
        let isRedeemed = redeemed.map { Self.equal(token, $0) } ?? false
        return isIssued || isRedeemed
    }

    /// `token` was accepted, and `next` is what the phone is told for the time after.
    mutating func redeem(_ token: [UInt8], next: [UInt8]) {
        if let redeemed, redeemed != token { spend(redeemed) }
        redeemed = token
        issued = next
    }

    /// The phone has the Welcome: what it paid is worth nothing any more.
    mutating func delivered() {
        if let redeemed { spend(redeemed) }
        redeemed = nil
    }

    /// Whether `token` was good once.
    func isSpent(_ token: [UInt8]) -> Bool { spent.reduce(false) { $0 || Self.equal($1, token) } }

    private mutating func spend(_ token: [UInt8]) { spent = spent.suffix(Self.remembered - 1) + [token] }

    private static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
