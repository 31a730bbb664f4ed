/// Makes a `ClockEstimate` of answered probes: the quickest of the last ones says most about the offset, as what was delayed may have
/// been delayed on one way only; a line through such best ones over minutes is the drift.
struct ClockFilter: Sendable {
    private struct Sample {
        let at: LinkInstant
        let offset: Int64
        let roundTrip: UInt64
    }

    /// Oldest first.
    private var samples: [Sample] = []
    /// The best samples of some seconds each, oldest first.
    private var anchors: [Sample] = []
    private var drift = 0.0
    private(set) var estimate: ClockEstimate?
    /// Samples since the start, or since the peer's clock jumped.
    private(set) var count = 0

    /// A probe was answered.
    /// - Parameters:
    ///   - sent: when it was sent.
    ///   - received: when the answer came.
    ///   - peer: the clock in the answer.
    mutating func answered(sent: LinkInstant, received: LinkInstant, peer: UInt64) {
        let roundTrip = received.elapsed(since: sent)
        let at = sent.advanced(nanoseconds: roundTrip / 2)
        let sample = Sample(at: at, offset: Int64(bitPattern: peer &- at), roundTrip: roundTrip)
        if let estimate, jumped(sample, estimate) { self = ClockFilter() }
        count += 1
        if samples.count == LinkTuning.clockSamples { samples.removeFirst() }
        samples.append(sample)
        let best = samples.min { cost($0, at: at) < cost($1, at: at) } ?? sample
        anchor(best)
        estimate = ClockEstimate(offset: best.offset, at: best.at, drift: drift, roundTrip: best.roundTrip)
    }

    /// The true offset lies within half the round trip of every sample: an estimate that does not is of a clock that has been set, or
    /// stood still while its machine slept.
    private func jumped(_ sample: Sample, _ estimate: ClockEstimate) -> Bool {
        let away = (sample.offset &- estimate.offset(at: sample.at)).magnitude
        let age = sample.at.elapsed(since: estimate.at)
        return away > sample.roundTrip / 2 + estimate.roundTrip / 2 + age / 1_000 + LinkConstants.millisecond
    }

    /// How wrong a sample may be by now: half its round trip, and what an unknown drift made of its age.
    private func cost(_ sample: Sample, at now: LinkInstant) -> UInt64 {
        (sample.roundTrip / 2).advanced(nanoseconds: now.elapsed(since: sample.at) / LinkTuning.clockAgeing)
    }

    private mutating func anchor(_ best: Sample) {
        if let last = anchors.last, best.at.elapsed(since: last.at) < LinkTuning.anchorSpacing {
            if best.roundTrip < last.roundTrip { anchors[anchors.count - 1] = best }
            return
        }
        if anchors.count == LinkTuning.anchors { anchors.removeFirst() }
        anchors.append(best)
        if let slope { drift = slope }
    }

    /// Parts per million, by least squares; nil when there is too little to go by.
    private var slope: Double? {
        guard let first = anchors.first, let last = anchors.last, anchors.count >= 4,
              last.at.elapsed(since: first.at) >= LinkTuning.driftBaseline
        else { return nil }
        let points = anchors.map { anchor in
            (x: Double(anchor.at.elapsed(since: first.at)), y: Double(anchor.offset &- first.offset))
        }
        let count = Double(points.count)
        let x = points.reduce(0) { $0 + $1.x } / count
        let y = points.reduce(0) { $0 + $1.y } / count
        let spread = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
        return points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / spread * 1_000_000 // first and last are apart: spread is above 0
    }
}
