/// Round-trip time from probes, smoothed as in RFC 6298.
struct RoundTripEstimator: Sendable {
    struct Probe {
        let id: UInt64
        let sentAt: LinkInstant
        /// Bytes sent before it on this connection.
        let mark: UInt64
        /// Of these, the bytes that no answer has covered when it was sent.
        let bytesAhead: UInt64
    }

    /// Nanoseconds; nil before the first answer.
    private(set) var smoothed: UInt64?
    private(set) var variation: UInt64 = 0
    private(set) var shortest: UInt64?
    private var outstanding: [Probe] = []
    /// `mark` of the newest probe answered.
    private var answeredMark: UInt64 = 0

    /// The oldest probe without an answer.
    var oldestOpen: Probe? { outstanding.first }

    /// - Parameter mark: bytes sent before it on this connection.
    mutating func sent(_ id: UInt64, at now: LinkInstant, mark: UInt64) {
        if outstanding.count == LinkTuning.trackedProbes { outstanding.removeFirst() }
        outstanding.append(Probe(id: id, sentAt: now, mark: mark, bytesAhead: mark > answeredMark ? mark - answeredMark : 0))
    }

    /// The probe answered; nil when the answer belongs to none that is still remembered.
    mutating func answered(_ id: UInt64, at now: LinkInstant) -> Probe? {
        guard let index = outstanding.firstIndex(where: { $0.id == id }) else { return nil }
        let probe = outstanding[index]
        let sample = now.elapsed(since: outstanding[index].sentAt)
        answeredMark = outstanding[index].mark
        outstanding.removeSubrange(...index)
        shortest = min(shortest ?? sample, sample)
        if let old = smoothed {
            let difference = old > sample ? old - sample : sample - old
            variation = variation / 4 * 3 + difference / 4
            smoothed = old / 8 * 7 + sample / 8
        } else {
            smoothed = sample
            variation = sample / 2
        }
        return probe
    }
}
