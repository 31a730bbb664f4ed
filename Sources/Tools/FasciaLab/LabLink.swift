/// The link between the hosts of a lab. Each call takes effect before it returns.
public struct LabLink: Sendable {
    let lab: Lab

    /// Sets delay, jitter, loss, rate and the rest at once.
    /// - Parameter host: direction; nil for both.
    public func set(_ settings: LinkSettings, toward host: LabHost? = nil) throws(LabError) {
        let toward = host.map { " toward \($0.rawValue)" } ?? ""
        try lab.ask("delay \(settings.delay)ns jitter \(settings.jitter)ns" + toward)
        try lab.ask("loss \(settings.loss * 100)" + toward)
        try lab.ask("rate \(settings.rate.map { "\($0)bit" } ?? "off") queue \(settings.queue)" + toward)
        try lab.ask("reorder \(settings.reorders ? "on" : "off")" + toward)
    }

    /// Half of it each way.
    /// - Parameter jitter: of each way.
    public func set(roundTrip: Duration, jitter: Duration = .zero, loss: Double = 0) throws(LabError) {
        try lab.ask("rtt \(roundTrip.wholeNanoseconds)ns jitter \(jitter.wholeNanoseconds)ns")
        try lab.ask("loss \(loss * 100)")
    }

    public func settings() throws(LabError) -> [String: LinkSettings] { try lab.ask("settings", as: [String: LinkSettings].self) }

    /// Drops everything both ways.
    /// - Parameter length: nil until `restore`.
    /// - Returns: since when and until when, on `CLOCK_MONOTONIC` as the times of events.
    @discardableResult
    public func cut(for length: Duration? = nil) throws(LabError) -> Outage {
        try lab.ask(length.map { "cut \($0.wholeNanoseconds)ns" } ?? "cut", as: Outage.self)
    }

    /// Ends a cut.
    /// - Returns: when.
    @discardableResult
    public func restore() throws(LabError) -> UInt64 { try lab.ask("restore", as: [String: UInt64].self)["restored_ns"] ?? 0 }

    /// Plugs the cable of a host's interface out or in: its kernel notices. A cut is what no kernel notices.
    /// - Returns: when.
    @discardableResult
    public func setCarrier(of host: LabHost, on: Bool) throws(LabError) -> UInt64 {
        try lab.ask("carrier \(host.rawValue) \(on ? "on" : "off")", as: [String: UInt64].self)["changed_ns"] ?? 0
    }

    /// Cuts at random times from now on; nil ends them.
    public func setGaps(_ pattern: GapPattern?) throws(LabError) {
        guard let pattern else { return _ = try lab.ask("gaps off") }
        let (length, interval) = (pattern.length, pattern.interval)
        try lab.ask("gaps \(length.lowerBound)ns..\(length.upperBound)ns every \(interval.lowerBound)ns..\(interval.upperBound)ns seed \(pattern.seed)")
    }

    /// Starts the random numbers of loss and jitter again.
    public func seed(_ seed: UInt64) throws(LabError) { try lab.ask("seed \(seed)") }

    /// - Parameter reset: counts from zero afterwards.
    public func statistics(reset: Bool = false) throws(LabError) -> LinkStatistics {
        try lab.ask(reset ? "stats reset" : "stats", as: LinkStatistics.self)
    }
}

extension Duration {
    /// Of a duration that is not negative and less than centuries.
    var wholeNanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
