import FasciaEvents
import FasciaLink
import FasciaProcesses
import Foundation

/// An app plays from phone to head unit, real processes, through a proxy that stalls the link now and then.
struct StallRun: Encodable, Sendable {
    var stalls = 0
    /// One for each stall, and no other.
    var gaps = 0
    /// The most that ever waited, and the most more than two seconds after a stall.
    var maxBufferMS = 0.0
    var maxBufferCalmMS = 0.0
    /// From a stall's end until no more than 10 ms above the target waited.
    var slowestRecoveryMS = 0.0
    var targetMS = 0.0
    /// Stalls after which the phone went on over another connection.
    var reconnected = 0

    enum CodingKeys: String, CodingKey {
        case stalls, gaps, maxBufferMS = "max_buffer_ms", maxBufferCalmMS = "max_buffer_calm_ms", slowestRecoveryMS = "slowest_recovery_ms"
        case targetMS = "target_ms", reconnected
    }

    /// Seconds that are looked at after each.
    private static let watched: UInt64 = 3_000_000_000
    private static let settled: UInt64 = 2_000_000_000

    init(stalls count: Int) async throws {
        let pair = try await BenchPair(app: Programs.path("ToneApp"), carArguments: ["--audio-out", "null"])
        defer { pair.end() }
        let proxy = try StallingProxy(upstream: pair.port)
        defer { proxy.stop() }
        let phone = try await pair.startPhone(through: proxy.port)
        defer { phone.end() }
        do {
            try await pair.openTone(playing: "Play")
            try await Task.sleep(for: .seconds(3))
            var chance = SeededGenerator(seed: 7)
            for _ in 0..<count {
                let before = try await SoundState(of: pair.headUnit).media
                try await add(proxy.stall(milliseconds: .random(in: 200...460, using: &chance)), before: before, pair.headUnit)
            }
        } catch let error as ToolError {
            throw ToolError("\(error)\n\(phone.lastErrors())\n\(pair.headUnit.lastErrors())")
        }
    }

    private mutating func add(_ stall: StallingProxy.Stall, before: SoundState.Stream?, _ console: ChildProgram) async throws {
        stalls += 1
        var stream: SoundState.Stream?
        while true {
            let now = MonotonicClock.now()
            guard now < stall.end + Self.watched else { break }
            if let media = try await SoundState(of: console).media {
                let isHigh = media.buffered_ms > media.target_ms + 10
                if isHigh, now > stall.end { slowestRecoveryMS = max(slowestRecoveryMS, Percentiles.milliseconds(now - stall.end)) }
                if now > stall.end + Self.settled { maxBufferCalmMS = max(maxBufferCalmMS, media.buffered_ms) }
                stream = media
            }
            try await Task.sleep(for: .milliseconds(15))
        }
        guard let stream else { throw ToolError("the stream did not come back after a stall") }
        (maxBufferMS, targetMS) = (max(maxBufferMS, stream.most_buffered_ms), stream.target_ms)
        if let before, stream.stream == before.stream {
            gaps += stream.gaps - before.gaps
        } else {
            gaps += stream.gaps + 1
            reconnected += 1
        }
    }
}
