/// How a cycle ended.
struct CycleResult: Sendable {
    let number: Int
    let kind: FaultKind
    /// From the moment nothing was broken any more to the first frame on the screen, nanoseconds; nil when the picture had not gone.
    var reconnect: UInt64?
    /// The whole cycle, seconds.
    var seconds = 0.0
    var violations: [String] = []
    /// For the report of a violation.
    var timeline: [String] = []
    /// Where logs and state of a failed cycle are kept.
    var kept: String?
}
