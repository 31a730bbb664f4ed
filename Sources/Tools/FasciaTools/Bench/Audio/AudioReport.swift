/// What `fascia bench audio` found. The figures at the top are those of PCM.
struct AudioReport: Encodable {
    var simulated: SimulatedAudio
    var pcm: AudioRun?
    var opus: AudioRun?
    /// Of real processes.
    var stalls: StallFigures?
    var prompts: PromptFigures?

    init(simulated: SimulatedAudio) { self.simulated = simulated }

    private enum Key: String, CodingKey {
        case latency = "app_to_sink_ms", seconds, gaps, maxBuffer = "max_buffer_ms", target = "target_ms", sinkMissed = "sink_missed", cpu = "cpu_percent"
        case precedence, real, stalls, concealed, late, phone, headUnit = "headunit", app, yardstick, duck, opus, simulated
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if let pcm { try Self.encode(pcm, &container) }
        if let opus {
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: .opus)
            try Self.encode(opus, &nested)
        }
        try container.encode(Duck(simulated: simulated.duck, real: prompts), forKey: .duck)
        try container.encodeIfPresent(stalls, forKey: .stalls)
        try container.encode(simulated, forKey: .simulated)
    }

    /// The prompts in virtual time, and those of real processes by how they ended.
    private struct Duck: Encodable {
        var simulated: SimulatedAudio.Ducks
        var real: PromptFigures?

        func encode(to encoder: any Encoder) throws {
            try simulated.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encodeIfPresent(real, forKey: .real)
        }
    }

    private static func encode(_ run: AudioRun, _ container: inout KeyedEncodingContainer<Key>) throws {
        try container.encode(run.latency, forKey: .latency)
        try container.encode(run.seconds, forKey: .seconds)
        try container.encode(run.gaps, forKey: .gaps)
        try container.encode(run.concealed, forKey: .concealed)
        try container.encode(run.late, forKey: .late)
        try container.encode(run.maxBufferMS, forKey: .maxBuffer)
        try container.encode(run.targetMS, forKey: .target)
        try container.encode(run.sinkMissed, forKey: .sinkMissed)
        try container.encode(run.precedence, forKey: .precedence)
        var cpu = container.nestedContainer(keyedBy: Key.self, forKey: .cpu)
        try cpu.encode(run.phone, forKey: .phone)
        try cpu.encode(run.headUnit, forKey: .headUnit)
        try cpu.encode(run.app, forKey: .app)
        try cpu.encode(run.yardstick, forKey: .yardstick)
    }

    /// Tables for people.
    var text: String {
        var parts: [String] = []
        let real = [("PCM", pcm), ("Opus", opus)].compactMap { name, run in run.map { (name, $0) } }
        if !real.isEmpty {
            parts.append(Output.table([["app to sink, ms", "p50", "p90", "p99", "max", "seconds", "gaps", "max buffer, ms"]] + real.map { name, run in
                [name] + run.latency.cells + ["\(Int(run.seconds))", "\(run.gaps)", "\(run.maxBufferMS)"]
            }))
            parts.append(Output.table([["% of a core, one stream", "phone", "head unit", "app", "yardstick"]] + real.map { name, run in
                [name] + [run.phone, run.headUnit, run.app].map { "\($0.stream)" } + ["\(run.yardstick)"]
            }))
        }
        if let stalls { parts.append(stalls.text("stalls of a real link")) }
        if let prompts { parts.append(prompts.text) }
        parts.append(Output.table([["virtual time", "gaps", "made up", "clicks", "target, ms", "max buffer, ms", "max delay, ms"]]
            + simulated.drift.map { row("600 s, \(Int($0.driftPPM)) ppm", $0) } + simulated.loss.map { row("60 s, \(Int($0.lossPercent)) % lost", $0) }))
        let duck = simulated.duck, figures = duck.figures
        parts.append("""
            \(simulated.stalls.text("simulated stalls"))
            \(figures.prompts) prompts (\(duck.drained) ended, \(duck.stopped) cut off, \(duck.killed) killed, \(duck.linkLost) with the link, \(duck.cut) with it \
            and nobody told, back from \(figures.maxUntilRestoreMS) ms on): down within \(figures.maxDuckErrorMS) ms \
            of the ramp, back within \(figures.maxRestoreErrorMS) ms, level within \(figures.maxLevelErrorDB) dB, \(duck.clicks) clicks
            """)
        return parts.joined(separator: "\n\n")
    }

    private func row(_ name: String, _ stream: SimulatedAudio.Stream) -> [String] {
        [name, "\(stream.gaps)", "\(stream.concealed) of \(stream.lost)", "\(stream.clicks)", "\(stream.targetMS)", "\(stream.maxBufferMS)", "\(stream.maxDelayMS)"]
    }
}
