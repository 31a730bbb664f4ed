import FasciaEvents
import FasciaLab
import Foundation

struct CutBench {
    let rig: LabRig
    /// After the link is back, for the next frame.
    private static let limit: UInt64 = 10_000_000_000
    /// Between two cuts: the estimate of the round trip settles.
    private static let rest = Duration.milliseconds(800)

    func run(rtts: [UInt64], cuts: [UInt64], runs: Int) async throws -> [CutRow] {
        var rows: [CutRow] = []
        for rtt in rtts {
            try rig.lab.ask("rtt \(rtt)ns")
            try await Task.sleep(for: .seconds(2))
            for cut in cuts {
                var times: [UInt64] = [], failures = 0, renewed = 0
                for run in 0..<runs {
                    // Not always at the same point between two frames.
                    try await Task.sleep(for: Self.rest + .milliseconds(run * 7 % 20))
                    let (time, isNew) = try await once(cut)
                    if let time { times.append(time) } else { failures += 1 }
                    if isNew { renewed += 1 }
                }
                rows.append(CutRow(rtt: Double(rtt) / 1e6, cut: Double(cut) / 1e6, frameAfterCut: Percentiles(nanoseconds: times), target: Double(rtt) / 5e5 + 20,
                                   failures: failures, newConnections: renewed, runs: runs))
            }
        }
        return rows
    }

    /// From the end of a cut to the next frame, and whether a new connection brought it.
    private func once(_ length: UInt64) async throws -> (UInt64?, Bool) {
        let outage = try rig.lab.link.cut(for: .nanoseconds(Int64(length)))
        guard let end = outage.end else { return (nil, false) }
        while MonotonicClock.now() < end + Self.limit {
            let now = MonotonicClock.now()
            try await Task.sleep(for: now < end ? .nanoseconds(Int64(end - now) + 20_000_000) : .milliseconds(20))
            rig.readEvents()
            guard let frame = rig.carEvents.times("frame", from: end).first else { continue }
            return (frame - end, rig.carEvents.count("resumed", from: outage.start) > 0)
        }
        return (nil, false)
    }
}
