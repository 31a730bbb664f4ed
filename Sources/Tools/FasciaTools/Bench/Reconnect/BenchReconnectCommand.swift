import ArgumentParser
import FasciaLab
import FasciaProcesses
import Foundation

struct BenchReconnectCommand: AsyncParsableCommand {
    /// Milliseconds between the changes of the screen while it is cut.
    static let tick = 5

    static let configuration = CommandConfiguration(
        commandName: "reconnect",
        abstract: "Time from the return of the link to a frame on the car's screen.",
        discussion: """
            Starts fascia-headunit (headless, 800x480) and fascia-phone, pairs them, and does the fault to them again and again. Times are
            those of the two programs' event files:
              detect       fault -> the phone knows; before the link is back, not part of the sum
              discover     link back -> first attempt of the connection that carries the session on
              tcp          -> TCP connection
              tls          -> handshake done on the phone
              resume       -> Hello and Welcome exchanged: the session goes on, or begins
              first_frame  -> the head unit has presented a frame of that connection
            With early data the frame may be there before the phone knows the end of the handshake: what comes later costs nothing.
              start        kill-phone: start of the process -> its first attempt; not part of the sum
              publish      publish: the head unit listens -> the phone has its address by mDNS

            FAULTS
            \(ReconnectFault.allCases.map { "  " + $0.rawValue.padding(toLength: 15, withPad: " ", startingAt: 0) + $0.what + ";\n" + String(repeating: " ", count: 17) + "link back: " + $0.linkBack }.joined(separator: "\n"))

            FLOOR
            After each run, over the same path: a minimal blocking OpenSSL client and server, two processes, same mode, from before connect()
            until the server has read a request of \(TLSFloor.payloadBytes) bytes. ratio = link back to frame / floor. It knows no TCP Fast Open:
            in the lab, where the kernel allows that, Fascia is faster.

            With --rtt or --loss, and for carrier, the two programs are hosts of their own: network namespaces, joined by an emulated
            link (see: fascia lab). That needs root. kill-headunit and publish need mDNS, which on loopback needs a loopback interface
            with multicast on: scripts/lib/confined fascia bench reconnect …

            EXAMPLES
              fascia bench reconnect --fault reset --mode early-data --runs 1000
              fascia bench reconnect --fault blackhole --rtt 10 --runs 100 --json reconnect.json --svg reconnect.svg
              fascia bench reconnect --fault cut --cut 0.1,0.3,1,3 --rtt 10 --runs 20
            """)

    @Option(help: "What goes wrong.") var fault: ReconnectFault = .reset
    @Option(help: ArgumentHelp("TLS: full, ticket or early-data.", valueName: "mode")) var mode: HandshakeMode = .earlyData
    @Option(help: "Faults.") var runs = 100
    @Option(help: ArgumentHelp("Round-trip time of the path; 0 is the lab's own.", valueName: "ms")) var rtt: Double?
    @Option(help: ArgumentHelp("Packets lost, percent, each way.", valueName: "pct")) var loss: Double?
    @Flag(help: "With --rtt or --loss: no TCP Fast Open in the hosts.") var noFastOpen = false
    @Option(help: ArgumentHelp("--fault cut: lengths of the cuts, with commas between.", valueName: "seconds")) var cut = "0.1,0.3,1,3"
    @Option(help: ArgumentHelp("Write JSON, one object a line; - is standard output.", valueName: "file")) var json: String?
    @Option(help: ArgumentHelp("Draw the distribution; with several cuts, that of the last.", valueName: "file")) var svg: String?
    @Option(help: ArgumentHelp("An app whose icon is on the phone's home screen (default: RubberSoul beside this program).", valueName: "executable"))
    var app: String?

    private var cuts: [Double] { cut.split(separator: ",").compactMap { Double($0) } }

    func validate() throws {
        guard (1...100_000).contains(runs) else { throw ValidationError("--runs is 1 to 100000") }
        if let rtt, !(0...10_000).contains(rtt) { throw ValidationError("--rtt is 0 to 10000 ms") }
        if let loss, !(0...50).contains(loss) { throw ValidationError("--loss is 0 to 50 percent") }
        guard !cuts.isEmpty, cuts.count == cut.split(separator: ",").count, cuts.allSatisfy({ (0.01...9).contains($0) }) else {
            throw ValidationError("--cut takes lengths of 0.01 to 9 seconds, for example 0.1,0.3,1,3")
        }
        if fault.needsLab || rtt != nil || loss != nil, geteuid() != 0 {
            throw ValidationError("--rtt, --loss and --fault carrier make network namespaces, which needs root: sudo fascia bench reconnect …")
        }
    }

    func run() async throws {
        BenchCommand.noteDebugBuild()
        let usesLab = rtt != nil || loss != nil
        let bench = ReconnectBench(fault: fault, mode: mode, runs: runs, cuts: fault == .cut ? cuts : [],
                                   roundTrip: usesLab ? .microseconds(Int64((rtt ?? 0) * 1_000)) : nil, loss: (loss ?? 0) / 100, fastOpen: !noFastOpen, app: app)
        let results = try await ChildPrograms.whileRunning { try await bench.run() }
        try write(results)
        if json != "-" {
            for result in results { Output.line(heading(result.report) + "\n" + result.table + "\n" + summary(result.report) + "\n") }
        }
        if let svg, let result = results.last {
            try Data(DistributionPlot(result).svg.utf8).write(to: URL(fileURLWithPath: svg))
        }
    }

    private func write(_ results: [ReconnectResult]) throws {
        guard let json else { return }
        if json == "-" { return try results.forEach { try Output.json($0.report) } }
        let lines = try results.map { try Output.jsonLine($0.report) + "\n" }.joined()
        do { try Data(lines.utf8).write(to: URL(fileURLWithPath: json)) } catch { throw ToolError("cannot write \(json): \(error.localizedDescription)") }
    }

    private func heading(_ report: ReconnectReport) -> String {
        let path = rtt == nil && loss == nil && !fault.needsLab ? "loopback" : "lab, RTT \(report.rttMilliseconds) ms, loss \(report.lossPercent) %" + (noFastOpen ? ", no Fast Open" : "")
        return "\(report.fault.rawValue)\(report.cut.map { " of \($0) s" } ?? ""), \(report.mode.rawValue), \(path)"
    }

    private func summary(_ report: ReconnectReport) -> String {
        func list(_ counts: [String: Int]) -> String { counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }
        return "\(report.runs) runs, \(report.failures) failed; handshakes: \(list(report.handshakes)); session: \(list(report.outcomes))"
    }
}
