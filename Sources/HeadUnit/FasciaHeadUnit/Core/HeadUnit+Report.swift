import FasciaEvents
import FoundationEssentials

extension HeadUnit {
    /// `tree`: one line of JSON.
    func treeReport() -> String {
        Self.json(ScreenTree(screen: display.contentName, width: options.profile.width, height: options.profile.height, semantics: display.semantics))
    }

    /// `stats`: one line of JSON.
    func statisticsReport() -> String {
        let figures = link?.figures ?? LinkFigures()
        let resources = session?.scene.resources
        return Self.json(StatisticsReport(
            uptime_s: (Double(MonotonicClock.now() - started) / 1e6).rounded() / 1e3, frames: statistics.frames, commits: statistics.commits,
            sessions: statistics.sessions, resumes: statistics.resumes, layers: session?.scene.layerCount ?? 0,
            resources: .init(count: resources?.count ?? 0, bytes: resources?.byteCount ?? 0),
            bytes_in: statistics.closedBytesIn + figures.bytesIn, bytes_out: statistics.closedBytesOut + figures.bytesOut,
            rtt_ms: figures.roundTrip.map { (Double($0) / 1e3).rounded() / 1e3 }, composite_ms: statistics.composite.summary, commit_to_frame_ms: statistics.commitToFrame.summary,
            tap_to_frame_ms: statistics.tapToFrame.summary, sound_latency_ms: sound.engine.withLatencies { $0.all.summary }, bytes_per_update: statistics.bytesPerUpdate.summary, ownership: ownershipReport, process: statistics.meter.read()))
    }

    static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
