import FasciaEvents
import FasciaLab
import Foundation

/// What is done to two programs for a while.
struct SoakPlan: Sendable {
    let gaps: GapPattern?
    /// Lines for the link.
    let conditions: [String]
    let seconds: Double
    let seed: UInt64

    /// Between two taps.
    private static let tapEvery = Duration.milliseconds(700)
    /// After the last gap, for the programs to settle.
    private static let settling = Duration.seconds(3)

    func run(_ rig: LabRig, tell: Bool) async throws -> SoakReport {
        for line in conditions { try rig.lab.ask(line) }
        _ = try rig.lab.link.statistics(reset: true)
        try await rig.headUnit.ask("stats reset")
        try rig.lab.link.setGaps(gaps)
        let start = MonotonicClock.now(), before = rig.processorSeconds()
        let end = start + UInt64(seconds * 1e9)
        var taps = 0, refused = 0, told = start
        while MonotonicClock.now() < end {
            try await Task.sleep(for: Self.tapEvery)
            taps += 1
            do { try await rig.headUnit.ask("tap \"\(LabRig.tapped)\"") } catch { refused += 1 } // nothing to tap while there is no phone
            guard rig.headUnit.status == nil, rig.phone.status == nil else { break }
            rig.readEvents()
            if tell, MonotonicClock.now() - told >= 30_000_000_000 {
                told = MonotonicClock.now()
                Output.note("\((told - start) / 1_000_000_000) s: \(rig.phoneEvents.count("scene-disconnected", from: start)) scene disconnects, "
                    + "\(rig.phoneEvents.count("suspected", from: start)) suspicions, \(rig.phoneEvents.count("resumed", from: start)) resumes")
            }
        }
        let stopped = MonotonicClock.now(), after = rig.processorSeconds()
        try rig.lab.link.setGaps(nil)
        let link = try rig.lab.link.statistics()
        for line in ["rtt 0ms", "loss 0"] { try rig.lab.ask(line) }
        try await Task.sleep(for: Self.settling)
        let alive = await isAlive(rig)
        let stats = try? await rig.headUnit.ask("stats")
        rig.readEvents()
        return SoakReport(rig, plan: self, link: link, stats: stats, window: start...stopped, taps: taps, refusedTaps: refused, aliveAtEnd: alive,
                          processor: (after.phone - before.phone, after.car - before.car))
    }

    /// A tap changes the screen.
    private func isAlive(_ rig: LabRig) async -> Bool {
        rig.readEvents()
        let begin = MonotonicClock.now()
        guard (try? await rig.headUnit.ask("tap \"\(LabRig.tapped)\"")) != nil, (try? await rig.headUnit.ask("sleep 0.5")) != nil else { return false }
        rig.readEvents()
        return rig.carEvents.count("frame", from: begin) > 0
    }
}
