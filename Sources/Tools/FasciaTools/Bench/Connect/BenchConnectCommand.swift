import ArgumentParser
import FasciaProcesses

struct BenchConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Time from the start of a connection to the first frame on the car's screen.",
        discussion: """
            Starts fascia-headunit (headless, 800x480) and, for each run, a new fascia-phone, paired, which knows the address and makes a
            full TLS handshake over loopback. Times are those of the two programs' event files:
              discover     mDNS browser started -> car resolved, on the loopback interface; not part of the sum
              tcp          the phone begins -> TCP connection
              tls          -> handshake done
              negotiate    -> Hello and Welcome exchanged
              first_frame  -> the head unit has presented the first frame, which the phone draws only now
            The yardstick's connections are made between the runs.

            EXAMPLES
              fascia bench connect
              fascia bench connect --runs 100 --json
            """)

    @Flag(help: "Write JSON.") var json = false
    @Option(help: "Connections measured.") var runs = 30
    @Option(help: ArgumentHelp("An app whose icon is on the phone's home screen (default: RubberSoul beside this program).", valueName: "executable"))
    var app: String?

    func validate() throws { guard (1...10_000).contains(runs) else { throw ValidationError("--runs is 1 to 10000") } }

    func run() async throws {
        BenchCommand.noteDebugBuild()
        let (runs, app) = (runs, app)
        let report = try await ChildPrograms.whileRunning { try await ConnectBench(app: app).run(runs) }
        if json { return try Output.json(report) }
        let order = ["discover", "tcp", "tls", "negotiate", "first_frame"]
        Output.line(Output.table([["ms", "p50", "p90", "p99", "max"]]
            + order.compactMap { name in report.phases[name].map { [name] + $0.cells } }
            + [["connect to first frame"] + report.firstFrame.cells]
            + report.yardsticks.map { ["yardstick: \($0.name)", "\($0.p50)", "", "", ""] }))
        Output.line("\(report.runs) runs")
    }
}

struct ConnectReport: Encodable {
    struct Yardstick: Encodable {
        let name: String
        let p50: Double
        enum CodingKeys: String, CodingKey { case name, p50 = "p50_ms" }
    }

    let runs: Int
    let firstFrame: Percentiles
    let phases: [String: Percentiles]
    let yardsticks: [Yardstick]
    enum CodingKeys: String, CodingKey { case runs, firstFrame = "first_frame_ms", phases, yardsticks }
}
