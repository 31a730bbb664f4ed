import FasciaEvents
import FasciaLink
import FasciaProcesses
import Foundation

/// An app plays from phone to head unit, real processes, through a proxy that stalls the link now and then.
struct StallRun: Sendable {
    private(set) var figures = StallFigures(reconnected: 0)

    /// Looked at after each, and how much of that it may take to settle; nanoseconds.
    private static let watched: UInt64 = 3_000_000_000
    private static let settled: UInt64 = 2_000_000_000

    init(stalls count: Int) async throws {
        let pair = try await BenchPair.tone()
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
                try await add(stallEnd: proxy.stall(milliseconds: .random(in: StallFigures.lengths, using: &chance)), before: before, pair.headUnit)
            }
        } catch let error as ToolError {
            throw error.with(phone, pair.headUnit)
        }
    }

    private mutating func add(stallEnd end: UInt64, before: SoundState.Stream?, _ console: ChildProgram) async throws {
        var stream: SoundState.Stream?
        while true {
            let now = MonotonicClock.now()
            guard now < end + Self.watched else { break }
            if let media = try await SoundState(of: console).media {
                let isHigh = media.buffered_ms > media.target_ms + 10
                if isHigh, now > end { figures.slowestRecoveryMS = max(figures.slowestRecoveryMS, Percentiles.milliseconds(now - end)) }
                if now > end + Self.settled { figures.maxBufferCalmMS = max(figures.maxBufferCalmMS, media.buffered_ms) }
                stream = media
            }
            try await Task.sleep(for: .milliseconds(15))
        }
        guard let stream else { throw ToolError("the stream did not come back after a stall") }
        figures.stalls += 1
        (figures.maxBufferMS, figures.targetMS) = (max(figures.maxBufferMS, stream.most_buffered_ms), stream.target_ms)
        if let before, stream.stream == before.stream {
            figures.gaps += stream.gaps - before.gaps
        } else {
            figures.gaps += stream.gaps + 1
            figures.reconnected = (figures.reconnected ?? 0) + 1
        }
    }
}
