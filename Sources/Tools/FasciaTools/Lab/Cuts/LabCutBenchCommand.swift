import ArgumentParser
import FasciaEvents
import FasciaLab
import FasciaProcesses
import Foundation

struct LabCutBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cutbench",
        abstract: "How soon after a cut the screen goes on: from the link's return to the next frame.",
        discussion: """
            The screen changes fifty times a second all the while. The target is 2 round trips and 20 ms.

              fascia lab cutbench --runs 10
              fascia lab cutbench --cuts 300ms --rtts 10ms --json
            """)

    @Option(help: "How often each.") var runs = 5
    @Option(help: "How long the link is gone, separated by commas.") var cuts = "100ms,300ms,1s,3s"
    @Option(help: "Round trips, separated by commas.") var rtts = "0ms,10ms,50ms"
    @Option(help: "Of the lab.") var name = "cuts-\(getpid())"
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let cuts = try times(cuts, "--cuts"), rtts = try times(rtts, "--rtts")
        guard runs > 0 else { throw ValidationError("--runs takes at least 1.") }
        BenchCommand.noteDebugBuild()
        let name = name, runs = runs
        let rows: [CutRow] = try await ChildPrograms.whileRunning {
            try await withFreshLab(name) { lab in try await LabRig.run(lab) { try await CutBench(rig: $0).run(rtts: rtts, cuts: cuts, runs: runs) } }
        }
        if json { return try Output.json(rows) }
        Output.line(Output.table([["rtt", "cut", "p50 ms", "max ms", "target", "went on with"]] + rows.map { $0.cells }))
    }

    private func times(_ text: String, _ option: String) throws -> [UInt64] {
        try text.split(separator: ",").map { part in
            guard let time = Quantity.duration(part) else { throw ValidationError("\(option) takes times such as 100ms,1s") }
            return time
        }
    }
}

/// All cuts of one length at one round trip. Milliseconds.
struct CutRow: Encodable {
    var rtt: Double
    var cut: Double
    var frameAfterCut: Percentiles?
    var target: Double
    /// Cuts after which no frame came within the limit.
    var failures: Int
    /// Runs in which a new connection carried the session on.
    var newConnections: Int
    var runs: Int

    enum CodingKeys: String, CodingKey {
        case rtt = "rtt_ms", cut = "cut_ms", frameAfterCut = "frame_after_cut_ms", target = "target_ms", failures, newConnections = "new_connections", runs
    }

    var cells: [String] {
        ["\(rtt) ms", "\(cut) ms", frameAfterCut.map { "\($0.p50)" } ?? "-", frameAfterCut.map { "\($0.max)" } ?? "-",
         "\(target) \((frameAfterCut?.max ?? .infinity) <= target && failures == 0 ? "held" : "MISSED")",
         "\(newConnections) new, \(runs - newConnections) old connections" + (failures > 0 ? ", \(failures) without a frame" : "")]
    }
}
