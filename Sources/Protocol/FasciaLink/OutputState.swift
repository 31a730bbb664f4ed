import FasciaFraming

/// What waits to be sent besides messages, and bytes that did not fit the last output buffer.
struct OutputState: Sendable {
    /// A whole frame, or the rest of one, that goes first.
    var staged: [UInt8] = []
    /// Bytes of `staged` already out.
    var stagedSent = 0
    /// Probes of the peer to answer, oldest first.
    private(set) var answers: [UInt64] = []
    var probeDue = false
    /// A probe goes behind everything that can be sent now.
    var trailingProbeDue = false
    /// Channels whose `grantDue` is set.
    var grantsDue = 0
    /// Count of messages sent when GREASE was last thought of, so that each message is asked about once.
    var greasedAt: UInt64 = .max
    /// The CLOSE frame, when this end closed.
    var close: [UInt8] = []

    /// Whether `transmit` has anything besides messages.
    var isIdle: Bool { staged.isEmpty && answers.isEmpty && !probeDue && !trailingProbeDue && grantsDue == 0 && close.isEmpty }

    mutating func owe(answer: UInt64) {
        if answers.count == LinkConstants.maxWaitingProbeAnswers { answers.removeFirst() }
        answers.append(answer)
    }

    mutating func nextAnswer() -> UInt64? { answers.isEmpty ? nil : answers.removeFirst() }

    /// The connection is over: only the frame that has begun is finished.
    mutating func stopExceptStaged() {
        var rest = OutputState()
        (rest.staged, rest.stagedSent) = (staged, stagedSent)
        self = rest
    }
}
