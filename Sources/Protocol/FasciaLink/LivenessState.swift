/// What one end knows about whether the other is still there.
struct LivenessState: Sendable {
    /// When negotiation or pairing must be over; nil after it.
    var handshakeDeadline: LinkInstant?
    /// nil until timing is in force: then nobody is suspected and no probe is sent.
    private(set) var timing: LinkTiming?
    private(set) var lastHeard: LinkInstant
    /// When the last probe was due.
    private(set) var lastProbe: LinkInstant
    /// When the link became suspect; nil while it is not.
    var suspectSince: LinkInstant?
    /// When a probe's answer was overdue; nil while none is.
    var lateSince: LinkInstant?
    /// What was seen since the last byte was heard, oldest first.
    var doubts: [Evidence] = []
    var roundTrip = RoundTripEstimator()

    init(handshakeDeadline: LinkInstant, timing: LinkTiming?, now: LinkInstant) {
        self.handshakeDeadline = handshakeDeadline
        self.timing = timing
        lastHeard = now
        lastProbe = now
    }

    /// Channels are open.
    mutating func begin(_ timing: LinkTiming, now: LinkInstant) {
        self.timing = timing
        handshakeDeadline = nil
        lastHeard = now
        lastProbe = now
    }

    mutating func heard(at now: LinkInstant) { lastHeard = max(lastHeard, now) }
    mutating func probed(at now: LinkInstant) { lastProbe = max(lastProbe, now) }

    /// When the next probe is due.
    func probeAt(_ timing: LinkTiming) -> LinkInstant { max(lastHeard, lastProbe).advanced(nanoseconds: timing.probeInterval) }

    /// When silence becomes suspicious: later on a slow path than the timing alone would say.
    func suspectAt(_ timing: LinkTiming) -> LinkInstant {
        let answer = timing.probeInterval + (roundTrip.smoothed ?? 0) + 4 * roundTrip.variation
        let wait = min(max(timing.suspectAfter, answer), timing.deadAfter - LinkConstants.millisecond)
        return lastHeard.advanced(nanoseconds: wait)
    }

    /// Since when an answer is awaited: the oldest open probe was sent, or a byte was heard after it.
    var awaitedSince: LinkInstant { max(roundTrip.oldestOpen?.sentAt ?? lastHeard, lastHeard) }

    /// When the answer to the oldest open probe is overdue; nil without an open probe, before the first measurement, and when
    /// the link is late or suspect already. What was sent in front of the probe gets time to cross a slow path.
    var lateAt: LinkInstant? {
        guard lateSince == nil, suspectSince == nil, let open = roundTrip.oldestOpen, let smoothed = roundTrip.smoothed else { return nil }
        let usual = max(LinkConstants.lateMinimum, smoothed + 4 * roundTrip.variation + LinkConstants.lateMargin)
        return awaitedSince.advanced(nanoseconds: usual + open.bytesAhead * LinkTuning.slowestByte)
    }

    /// Notes something that speaks against the link. A kind counts once.
    mutating func doubt(_ evidence: Evidence) {
        if !doubts.contains(where: { $0.kind == evidence.kind }) { doubts.append(evidence) }
    }

    /// When a suspect link is dead. A process that slept through everything still listens as long as if it had not.
    func deadAt(_ timing: LinkTiming, suspectSince: LinkInstant) -> LinkInstant {
        let lateness = suspectSince.elapsed(since: suspectAt(timing))
        return lastHeard.advanced(nanoseconds: timing.deadAfter).advanced(nanoseconds: lateness)
    }

    var nextDeadline: LinkInstant? {
        let handshake = handshakeDeadline ?? .max
        guard let timing else { return handshakeDeadline }
        let silence = suspectSince.map { deadAt(timing, suspectSince: $0) } ?? suspectAt(timing)
        return min(handshake, silence, probeAt(timing), lateAt ?? .max)
    }
}
