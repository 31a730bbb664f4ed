/// Short times for the programs of a campaign: a session ends in tenths of a second, so that a cycle does not wait for ten.
struct ProgramFlags: Sendable {
    /// Milliseconds without a word until the link counts as dead.
    static let dead = 400
    /// From then until its session is over, milliseconds.
    static let grace = 500
    /// An app that needs longer for its didDisconnect, milliseconds, is ended.
    static let disconnectBudget = 1_000
    /// The same for every other handler.
    static let updateBudget = 1_500

    let headUnit = ["--probe-interval", "50", "--suspect-after", "150", "--dead-after", "\(Self.dead)", "--grace", "\(Self.grace)"]
    let phone = ["--budget", "update=\(Self.updateBudget)ms", "--budget", "disconnect=\(Self.disconnectBudget)ms", "--budget", "terminate=1s"]
}
