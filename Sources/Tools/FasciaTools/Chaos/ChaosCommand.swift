import ArgumentParser
import FasciaProcesses
import Foundation

public struct ChaosCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "chaos",
        abstract: "Breaks phone, car, apps and the network between them at random, and looks whether anything goes wrong.",
        discussion: """
            Each worker runs fascia-headunit (headless) and fascia-phone with RubberSoul and ChaosApp, and a proxy between the two
            that cuts, stalls, corrupts or silences connections after an exact number of bytes. Each cycle brings the pair to a scene,
            strikes with one fault and lets it heal. Then, within --bound seconds, both ends must say the same session, with home or the app
            on the screen; every scene must have connected and disconnected exactly once, as the phone and as the app saw it; the
            trust stores hold the same pins, private as before; no process is left over, and descriptors and memory have not grown.

            A violation prints what happened in the cycle and how to do the same cycle again, and goes on with fresh programs. The exit status
            is 1 when there was one. Ctrl-C or SIGTERM ends with the table so far, which says how many cycles are missing; the exit status is
            then that of the signal (130, 143).

            EXAMPLES
              fascia chaos --cycles 200
              fascia chaos --seed 7 --cycle 4711             that cycle again, with fresh programs
              fascia chaos --simulated --cycles 100000
              fascia chaos --cycles 50 --only mid-handshake --only kill-phone
            """)

    public init() {}

    @Option(help: "How many cycles.") var cycles = 100
    @Option(help: "Everything random comes from it (default: a new one, which is printed).") var seed: UInt64?
    @Option(help: ArgumentHelp("Only this cycle of the seed.", valueName: "number")) var cycle: Int?
    @Flag(help: "No programs: the same state machines in virtual time, thousands of cycles a second.") var simulated = false
    @Option(help: ArgumentHelp("Only this world of the seed (--simulated).", valueName: "number")) var world: Int?
    @Option(help: "Pairs of phone and head unit at a time.") var workers = 2
    @Option(help: ArgumentHelp("Longest time to a picture once nothing is broken any more.", valueName: "seconds")) var bound = 5.0
    @Option(help: ArgumentHelp("Only faults of this kind; may be repeated: \(FaultKind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "fault"))
    var only: [String] = []
    @Option(help: ArgumentHelp("Write the result to this file, as JSON; - is standard output.", valueName: "file")) var json: String?
    @Option(help: ArgumentHelp("Where logs and timelines of cycles with violations are kept.", valueName: "directory")) var keep = "/tmp/fascia-chaos"
    @Flag(name: .shortAndLong, help: "Tell what happened in every cycle, as --cycle does.") var verbose = false
    @Flag(help: "End at the first violation.") var stop = false

    public func validate() throws {
        guard cycles > 0, (1...64).contains(workers), bound > 0, (cycle ?? 0) >= 0 else {
            throw ValidationError("--cycles and --bound are more than 0, --workers 1 to 64, --cycle not negative.")
        }
        for name in only where FaultKind(rawValue: name) == nil { throw ValidationError("there is no fault “\(name)”; see fascia chaos --help") }
    }

    public func run() async throws {
        let seed = seed ?? UInt64.random(in: 1...999_999)
        if simulated { return try await runSimulated(seed) }
        let kinds = only.compactMap(FaultKind.init)
        let options = Campaign.Options(
            cycles: cycle.map { $0..<$0 + 1 } ?? 0..<cycles, seed: seed, workers: cycle == nil ? min(workers, cycles) : 1, bound: bound,
            kinds: kinds.isEmpty ? FaultKind.allCases : kinds, keep: keep, stopsAtViolation: stop, tellsAll: verbose || cycle != nil)
        let progress = CampaignProgress(total: options.cycles.count, seed: seed)
        let campaign = Campaign(options) { progress.note($0) }
        let interruption = Interruption()
        let watcher = Task {
            for await _ in interruption.events { campaign.interrupt() }
        }
        defer { watcher.cancel() }
        let table = try await campaign.run()
        progress.end()
        if let json { try write(table.json, to: json) }
        if json != "-" { Output.line(table.text) }
        if table.violations > 0 { throw ExitCode.failure }
        // Not to be taken for a campaign that went through.
        if table.missing > 0 { throw interruption.signal.map { ExitCode(Interruption.status(of: $0)) } ?? ExitCode.failure }
    }

    private func runSimulated(_ seed: UInt64) async throws {
        let isEnding = EndingFlag(Interruption())
        let report = await SimulatedChaos.run(cycles: cycles, seed: seed, workers: max(workers, ProcessInfo.processInfo.activeProcessorCount), world: world) { isEnding.value }
        if let json { try write(report, to: json) }
        if json != "-" { Output.line(SimulatedChaos.text(report)) }
        if report.violations > 0 { throw ExitCode.failure }
    }

    private func write(_ report: some Encodable, to path: String) throws {
        guard path != "-" else { return try Output.json(report) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try encoder.encode(report).write(to: URL(fileURLWithPath: path))
    }
}
