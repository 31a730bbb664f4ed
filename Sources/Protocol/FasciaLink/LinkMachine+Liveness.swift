import FasciaFraming
import FasciaWire

extension LinkMachine {
    /// When to call `deadlineReached`; nil after the end. Changes with every call.
    public var nextDeadline: LinkInstant? {
        if isClosed { return nil }
        guard let clockAt = clockProbeAt else { return liveness.nextDeadline }
        return min(liveness.nextDeadline ?? .max, clockAt)
    }

    /// When a probe is due for the sake of the peer's clock; nil when it is not needed.
    @inline(never) // optimized into its users the compiler (6.3.1) fails: "cannot get borrow introducers"
    private var clockProbeAt: LinkInstant? {
        guard needsClock, carriesClock else { return nil }
        let interval = peerClock.count < LinkTuning.firstClockSamples ? LinkTuning.firstClockInterval : LinkConstants.clockInterval
        return liveness.lastProbe.advanced(nanoseconds: interval)
    }

    /// Not inlined: Swift 6.3.1's optimizer crashes on `deadlineReached` when it is.
    @inline(never)
    private func isProbeDue(_ timing: LinkTiming) -> Bool { clock >= min(liveness.probeAt(timing), clockProbeAt ?? .max) }

    /// Time has passed. Harmless when called too early; when called late the peer gets the time it was not listened to.
    public mutating func deadlineReached(now: LinkInstant) {
        if isClosed { return }
        clock = max(clock, now)
        if let deadline = liveness.handshakeDeadline, clock >= deadline {
            let what = configuration.mode == .pairing ? "pairing" : "negotiation"
            end(.handshakeTimeout, .local, "\(what) was not finished in time", Evidence(.handshakeTimeout, at: clock), sendClose: true)
            return
        }
        guard let timing = liveness.timing else { return }
        if let since = liveness.suspectSince {
            if clock >= liveness.deadAt(timing, suspectSince: since) {
                let silence = clock.elapsed(since: liveness.lastHeard) / LinkConstants.millisecond
                end(.timeout, .transport, "no byte for \(silence) ms", Evidence(.probeTimeout, at: clock), sendClose: true)
                return
            }
        } else if clock >= liveness.suspectAt(timing) {
            suspect(Evidence(.silence, at: clock))
        } else if let lateAt = liveness.lateAt, clock >= lateAt {
            late()
        }
        if isProbeDue(timing) { probe() }
    }

    /// Tells the link what is known from elsewhere (network interface, discovery): it becomes suspect at once and probes.
    /// Of a link that is suspect already it is only noted.
    public mutating func observe(_ evidence: Evidence, now: LinkInstant) {
        clock = max(clock, now)
        guard isOpen else { return }
        if liveness.suspectSince != nil { return liveness.doubt(evidence) }
        suspect(evidence)
        probe()
    }

    private mutating func late() {
        liveness.lateSince = clock
        liveness.doubt(Evidence(.lateAnswer, at: clock))
        counters.latenesses &+= 1
        if isOpen { events.append(.late(for: clock.elapsed(since: liveness.awaitedSince))) }
    }

    private mutating func suspect(_ evidence: Evidence) {
        liveness.suspectSince = clock
        liveness.doubt(evidence)
        counters.suspicions &+= 1
        // A pairing connection has nothing to race, so its owner is not told.
        if isOpen { events.append(.suspected(evidence)) }
    }

    private mutating func probe() {
        liveness.probed(at: clock)
        output.probeDue = true
    }

    /// Bytes came.
    @inline(__always)
    mutating func heardPeer() {
        if !liveness.doubts.isEmpty { recover() }
        liveness.heard(at: clock)
    }

    private mutating func recover() {
        liveness.suspectSince = nil
        liveness.lateSince = nil
        settledDoubts = liveness.doubts
        liveness.doubts = []
        if isOpen { events.append(.recovered(silence: clock.elapsed(since: liveness.lastHeard))) }
    }
}
