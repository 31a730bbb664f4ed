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

    struct Stalls: Encodable {
        var stalls = 0
        /// One for each stall, and no other.
        var gaps = 0
        var clicks = 0
        var maxBufferMS = 0.0
        /// More than two seconds after a stall.
        var maxBufferCalmMS = 0.0
        /// From a stall's end until the buffer was no more than 10 ms above its target.
        var slowestRecoveryMS = 0.0

        enum CodingKeys: String, CodingKey {
            case stalls, gaps, clicks, maxBufferMS = "max_buffer_ms", maxBufferCalmMS = "max_buffer_calm_ms", slowestRecoveryMS = "slowest_recovery_ms"
        }
    }

    struct Ducks: Encodable {
        var prompts = 0
        var drained = 0, stopped = 0, killed = 0, linkLost = 0, cut = 0
        /// How far from the ramp the level was reached, at most.
        var maxDuckErrorMS = 0.0
        var maxRestoreErrorMS = 0.0
        /// From the last packet to the begin of the way back, where nobody said that it was the last.
        var maxWaitMS = 0.0
        var maxLevelErrorDB = 0.0
        var clicks = 0

        enum CodingKeys: String, CodingKey {
            case prompts, drained, stopped, killed, linkLost = "link_lost", cut, maxWaitMS = "max_until_restore_ms", maxDuckErrorMS = "max_duck_error_ms", maxRestoreErrorMS = "max_restore_error_ms"
            case maxLevelErrorDB = "max_level_error_db", clicks
        }
    }

    var drift: [Stream]
    var loss: [Stream]
    var stalls = Stalls()
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
        stream.network.stalls = SimulatedNetwork.stalls(50, every: 6_000_000_000, lengths: 200_000_000...460_000_000, seed: 7)
        let report = try stream.run()
        stalls = Stalls(
            stalls: 50, gaps: report.statistics.gaps, clicks: report.clicks, maxBufferMS: report.statistics.largestBuffered.milliseconds,
            maxBufferCalmMS: report.largestCalm.milliseconds, slowestRecoveryMS: report.slowestRecovery.milliseconds)
    }

    private mutating func simulateDucks(_ prompts: Int) throws {
        var simulation = SimulatedPrompts()
        simulation.prompts = prompts
        let report = try simulation.run()
        duck = Ducks(
            prompts: report.prompts, drained: report.endings[.drained] ?? 0, stopped: report.endings[.stopped] ?? 0,
            killed: report.endings[.killed] ?? 0, linkLost: report.endings[.linkLost] ?? 0, cut: report.endings[.cut] ?? 0, maxDuckErrorMS: report.largestDuckError.milliseconds,
            maxRestoreErrorMS: report.largestRestoreError.milliseconds, maxWaitMS: report.largestWait.milliseconds,
            maxLevelErrorDB: (Double(report.largestLevelError) * 1000).rounded() / 1000,
            clicks: report.clicks)
    }
}

extension Int64 {
    /// Of nanoseconds, to the hundredth.
    fileprivate var milliseconds: Double { (Double(self) / 10_000).rounded() / 100 }
}
