import ArgumentParser
import FasciaLab
import FasciaProcesses
import Foundation

struct LabSoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Drives a head unit and a phone over a bad link for a while, and tells what it did to them.",
        discussion: """
            Makes a lab of its own, pairs fascia-phone with fascia-headunit in it, opens two apps, and then lets the link
            come and go. Exit status 0 only when no scene disconnected, the session is the first one, and a tap works at
            the end.

              fascia lab soak --gaps 200ms..460ms --minutes 10
              fascia lab soak --loss 2 --minutes 10
            """)

    @Option(help: "How long gaps last.") var gaps: String?
    @Option(help: "Working link between two gaps.") var every = "1s..3s"
    @Option(help: "Per cent of the packets lost, each way.") var loss = "0"
    @Option(help: "There and back.") var rtt = "10ms"
    @Option var jitter = "0ms"
    @Option(help: "How long.") var minutes = 10.0
    @Option(help: "Of gaps, loss and jitter.") var seed: UInt64 = 1
    @Option(help: "Of the lab.") var name = "soak-\(getpid())"
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        guard minutes > 0, minutes <= 24 * 60 else { throw ValidationError("--minutes takes more than 0 and at most a day.") }
    }

    func run() async throws {
        let plan = SoakPlan(gaps: try gaps.map(pattern), conditions: ["rtt \(rtt) jitter \(jitter)", "loss \(loss)"], seconds: minutes * 60, seed: seed)
        let json = json, name = name
        let report = try await ChildPrograms.whileRunning {
            var options = Lab.Options()
            options.seed = plan.seed
            return try await withFreshLab(name, options) { lab in try await LabRig.run(lab) { try await plan.run($0, tell: !json) } }
        }
        if json { try Output.json(report) } else { Output.line(report.text) }
        if !report.passed { throw ExitCode.failure }
    }

    private func pattern(_ text: String) throws -> GapPattern {
        guard let length = Quantity.durations(text), let interval = Quantity.durations(every), interval.lowerBound > 0 else {
            throw ValidationError("--gaps and --every take times such as 200ms..460ms")
        }
        return GapPattern(length: length, interval: interval, seed: seed)
    }
}
