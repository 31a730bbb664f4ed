/// Counters of the whole run.
struct HeadUnitStatistics {
    var frames = 0
    var commits = 0
    var sessions = 0
    var resumes = 0
    /// Of connections that are over.
    var closedBytesIn: UInt64 = 0
    var closedBytesOut: UInt64 = 0
    var composite = LatencyHistogram()
    /// From a commit taken to its frame on the screen.
    var commitToFrame = LatencyHistogram()
    var tapToFrame = LatencyHistogram()
    var bytesPerUpdate = LatencyHistogram()
    var meter = ProcessMeter()

    /// What follows is measured on its own.
    mutating func forgetLatencies() {
        (composite, commitToFrame) = (LatencyHistogram(), LatencyHistogram())
        (tapToFrame, bytesPerUpdate) = (LatencyHistogram(), LatencyHistogram())
    }
}

/// The answer of `stats`.
struct StatisticsReport: Encodable {
    struct Resources: Encodable {
        var count: Int
        var bytes: Int
    }
    var uptime_s: Double
    var frames: Int
    var commits: Int
    var sessions: Int
    var resumes: Int
    var layers: Int
    var resources: Resources
    var bytes_in: UInt64
    var bytes_out: UInt64
    var rtt_ms: Double?
    var composite_ms: LatencyHistogram.Summary?
    /// From a commit of the phone being taken to its being on the screen.
    var commit_to_frame_ms: LatencyHistogram.Summary?
    var tap_to_frame_ms: LatencyHistogram.Summary?
    /// From a sound packet's time stamp on the phone to the loudspeaker.
    var sound_latency_ms: LatencyHistogram.Summary?
    var bytes_per_update: LatencyHistogram.Summary?
    /// Who has screen and main audio.
    var ownership: OwnershipReport
    var process: ProcessUsage
}
