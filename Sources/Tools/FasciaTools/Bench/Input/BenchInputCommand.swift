import ArgumentParser
import FasciaProcesses

struct BenchInputCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "input",
        abstract: "Time from a tap on a row to the presented frame that shows its change.",
        discussion: """
            Starts fascia-headunit (headless, 800x480) and fascia-phone with RubberSoul, opens the app and taps a row of its list; the head
            unit measures from the touch to the frame that the phone says was caused by it, and the bytes received in between.

            EXAMPLES
              fascia bench input
              fascia bench input --taps 500 --json
            """)

    @Flag(help: "Write JSON.") var json = false
    @Option(help: "Taps measured.") var taps = 100

    func validate() throws { guard (1...8_000).contains(taps) else { throw ValidationError("--taps is 1 to 8000") } }

    func run() async throws {
        BenchCommand.noteDebugBuild()
        let taps = taps
        let report = try await ChildPrograms.whileRunning { try await InputBench.run(taps: taps) }
        if json { return try Output.json(report) }
        Output.line(Output.table([
            ["", "p50", "p90", "p99", "max"],
            ["tap to frame, ms"] + report.tapToFrame.cells,
            ["bytes for the change"] + report.bytesPerUpdate.cells,
        ]))
    }
}

struct InputReport: Encodable {
    let tapToFrame: Percentiles
    let bytesPerUpdate: Percentiles
    enum CodingKeys: String, CodingKey { case tapToFrame = "tap_to_frame_ms", bytesPerUpdate = "bytes_per_update" }
}
