import FasciaSound
import FasciaSoundSimulation

/// What sound does in virtual time, with the jitter buffer and the mixer of the head unit.
struct SimulatedAudio: Encodable {
    struct Stream: Encodable {
        var driftPPM = 0.0
        var lossPercent = 0.0
        var seconds = 0.0
        /// Times the sound ran out.
        var gaps = 0
        /// Packets' worth of sound made up, and packets that never came.
        var concealed = 0
        var lost = 0
        var clicks = 0
        var targetMS = 0.0
        var maxBufferMS = 0.0
        /// From the frame being made to its leaving the sink, at most.
        var maxDelayMS = 0.0

        enum CodingKeys: String, CodingKey {
            case driftPPM = "drift_ppm", lossPercent = "loss_pct", seconds = "simulated_s", gaps, concealed, lost, clicks, targetMS = "target_ms"
            case maxBufferMS = "max_buffer_ms", maxDelayMS = "max_delay_ms"
        }

        init(_ stream: SimulatedStream) throws {
            let report = try stream.run()
            driftPPM = stream.driftPPM
            lossPercent = stream.network.loss * 100
            seconds = stream.seconds
            (gaps, concealed, lost, clicks) = (report.statistics.gaps, report.statistics.concealed, report.packetsLost, report.clicks)
            targetMS = report.statistics.target.milliseconds
            maxBufferMS = report.largestCalm.milliseconds
            maxDelayMS = report.largestDelay.milliseconds
        }
    }

    /// Prompts, by how they ended.
    struct Ducks: Encodable {
        var figures = DuckFigures()
        var drained = 0, stopped = 0, killed = 0, linkLost = 0, cut = 0
        var clicks = 0

        enum CodingKeys: String, CodingKey { case drained, stopped, killed, linkLost = "link_lost", cut, clicks }

        func encode(to encoder: any Encoder) throws {
            try figures.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(drained, forKey: .drained)
            try container.encode(stopped, forKey: .stopped)
            try container.encode(killed, forKey: .killed)
            try container.encode(linkLost, forKey: .linkLost)
            try container.encode(cut, forKey: .cut)
            try container.encode(clicks, forKey: .clicks)
        }
    }

    var drift: [Stream]
    var loss: [Stream]
    var stalls = StallFigures()
    var duck = Ducks()

    init(prompts: Int) throws {
        drift = try [-100.0, 100].map { ppm in
            var stream = SimulatedStream()
            (stream.seconds, stream.driftPPM, stream.network.jitter) = (600, ppm, 2_000_000)
            return try Stream(stream)
        }
        loss = try [0, 0.01, 0.02].map { part in
            var stream = SimulatedStream()
            stream.network.loss = part
            return try Stream(stream)
        }
        try simulateStalls()
        try simulateDucks(prompts)
    }

    private mutating func simulateStalls() throws {
        var stream = SimulatedStream()
        (stream.seconds, stream.driftPPM) = (305, 100)
        let lengths = UInt64(StallFigures.lengths.lowerBound) * 1_000_000...UInt64(StallFigures.lengths.upperBound) * 1_000_000
        stream.network.stalls = SimulatedNetwork.stalls(50, every: 6_000_000_000, lengths: lengths, seed: 7)
        let report = try stream.run()
        stalls = StallFigures(
            stalls: 50, gaps: report.statistics.gaps, clicks: report.clicks, maxBufferMS: report.statistics.largestBuffered.milliseconds,
            maxBufferCalmMS: report.largestCalm.milliseconds, slowestRecoveryMS: report.slowestRecovery.milliseconds)
    }

    private mutating func simulateDucks(_ prompts: Int) throws {
        var simulation = SimulatedPrompts()
        simulation.prompts = prompts
        let report = try simulation.run()
        func count(_ ending: SimulatedPrompts.Ending) -> Int { report.endings[ending] ?? 0 }
        duck = Ducks(
            figures: DuckFigures(
                prompts: report.prompts, maxDuckErrorMS: report.largestDuckError.milliseconds, maxRestoreErrorMS: report.largestRestoreError.milliseconds,
                maxUntilRestoreMS: report.largestWait.milliseconds, maxLevelErrorDB: (Double(report.largestLevelError) * 1000).rounded() / 1000),
            drained: count(.drained), stopped: count(.stopped), killed: count(.killed), linkLost: count(.linkLost), cut: count(.cut), clicks: report.clicks)
    }
}

extension Int64 {
    /// Of nanoseconds, to the hundredth.
    fileprivate var milliseconds: Double { (Double(self) / 10_000).rounded() / 100 }
}
