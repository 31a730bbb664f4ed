import FasciaEvents
import FasciaProcesses
import Foundation

/// One app that plays through one phone to one head unit, real processes on loopback.
struct AudioRun: Sendable {
    enum Codec: String, Sendable { case pcm, opus }

    /// Percent of a core that a process took.
    struct Load: Encodable, Sendable {
        var idle: Double
        var playing: Double
        /// Of the one stream.
        var stream: Double { ((playing - idle) * 100).rounded() / 100 }

        enum CodingKeys: String, CodingKey { case idle, playing, stream }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(idle, forKey: .idle)
            try container.encode(playing, forKey: .playing)
            try container.encode(stream, forKey: .stream)
        }
    }

    var latency: Percentiles
    var seconds: Double
    var gaps: Int
    var concealed: Int
    var late: Int
    var maxBufferMS: Double
    var targetMS: Double
    /// Times the sink was woken more than a period late.
    var sinkMissed: Int
    /// Of the head unit's threads, as far as the system granted it.
    struct Precedence: Encodable, Sendable { var sink, network: String? }
    var precedence: Precedence
    var phone: Load
    var headUnit: Load
    var app: Load
    /// Percent of a core, while the stream played.
    var yardstick: Double

    /// Seconds without a stream before.
    private static let idleSeconds = 10.0

    /// The run with the median delay, and the gaps of all.
    static func series(_ runs: Int, codec: Codec, seconds: Int) async throws -> AudioRun {
        var all: [AudioRun] = []
        for _ in 0..<runs { all.append(try await AudioRun(codec: codec, seconds: Double(seconds))) }
        all.sort { $0.latency.p50 < $1.latency.p50 }
        var median = all[all.count / 2]
        median.gaps = all.map(\.gaps).reduce(0, +)
        median.maxBufferMS = all.map(\.maxBufferMS).max() ?? median.maxBufferMS
        return median
    }

    private init(codec: Codec, seconds: Double) async throws {
        let pair = try await BenchPair.tone(phoneArguments: ["--audio-codec", codec.rawValue])
        defer { pair.end() }
        let begin = MonotonicClock.now()
        let phone = try await pair.startPhone()
        defer { phone.end() }
        do {
            let console = pair.headUnit
            try await pair.openTone(since: begin)
            try await Task.sleep(for: .seconds(2)) // what starting costs
            let processes = try Self.processes(phone: phone, headUnit: console)
            let idle = try await Self.load(of: processes, seconds: min(seconds, Self.idleSeconds))

            _ = try await console.ask("tap \"Play\"")
            try await Task.sleep(for: .seconds(2)) // and beginning
            let first = try await SoundState(of: console).playing()
            let carrier = Task.detached { PlainCarrier.percentOfCore(seconds: seconds) }
            let playing = try await Self.load(of: processes, seconds: seconds)
            let state = try await SoundState(of: console), last = try state.playing()
            yardstick = await carrier.value
            guard first.stream == last.stream else { throw ToolError("the stream was begun anew") }
            guard let latency = last.latency_ms else { throw ToolError("the head unit does not know the delay") }
            self.latency = latency
            self.seconds = seconds
            (gaps, concealed, late) = (last.gaps - first.gaps, last.concealed - first.concealed, last.late - first.late)
            (maxBufferMS, targetMS) = (last.most_buffered_ms, last.target_ms)
            sinkMissed = state.sink.missed
            precedence = Precedence(sink: state.sink.precedence, network: state.network_precedence)
            let loads = zip(idle, playing).map(Load.init)
            (self.phone, headUnit, app) = (loads[0], loads[1], loads[2])
        } catch let error as ToolError {
            throw error.with(phone, pair.headUnit)
        }
    }

    /// Phone, head unit, app.
    private static func processes(phone: ChildProgram, headUnit: ChildProgram) throws -> [Int32] {
        guard let app = ProcessState.children(of: phone.pid).first else { throw ToolError("the app does not run: \(phone.lastErrors())") }
        return [phone.pid, headUnit.pid, app]
    }

    /// Percent of a core of each.
    private static func load(of processes: [Int32], seconds: Double) async throws -> [Double] {
        func used() throws -> [Int] {
            try processes.map { pid in
                guard let usage = ProcessUsage(of: pid) else { throw ToolError("process \(pid) has gone") }
                return usage.cpu
            }
        }
        let (before, begin) = (try used(), MonotonicClock.now())
        try await Task.sleep(for: .seconds(seconds))
        let (after, end) = (try used(), MonotonicClock.now())
        return zip(before, after).map { (Double($1 - $0) * 1e6 / Double(end - begin) * 10_000).rounded() / 100 }
    }
}
