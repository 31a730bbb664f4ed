import ArgumentParser
import FasciaDiscovery
import Foundation

struct BenchDiscoveryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discovery",
        abstract: "Time from a car's announcement to a waiting phone that knows it, and of a question asked directly.",
        discussion: """
            An announcer and a browser of this process, each with an Avahi connection of its own, on one interface. Run it where mDNS cannot
            leave the machine:

              scripts/lib/confined --daemon .build/release/fascia bench discovery --backend daemon
              scripts/lib/confined .build/release/fascia bench discovery --backend embedded

              seen      the announcer is started, the phone has been looking for a while -> the car resolved
              again     the same car has gone without a goodbye and comes back at another port -> resolved at the new port
              query     a one-shot query for the known car, unicast answer, no cache -> address and port

            A first car, before these, waits for a daemon that is only starting. Two real programs: fascia bench reconnect --fault publish,
            phase "publish", from the head unit's listen to a phone that has seen it.
            """)

    @Flag(help: "Write JSON.") var json = false
    @Option(help: "Cars announced.") var runs = 30
    @Option(help: "daemon or embedded.") var backend: String
    @Option(help: "Network interface.") var interface = "lo"

    func validate() throws {
        guard (1...10_000).contains(runs) else { throw ValidationError("--runs is 1 to 10000") }
        guard DiscoveryBackend(rawValue: backend) != nil else { throw ValidationError("--backend is daemon or embedded") }
    }

    func run() async throws {
        BenchCommand.noteDebugBuild()
        let options = DiscoveryOptions(interface: interface, backend: DiscoveryBackend(rawValue: backend))
        let report = try await DiscoveryBench(options: options).run(runs)
        if json { return try Output.json(report) }
        Output.line(Output.table([["ms", "p50", "p90", "p99", "max"], ["seen"] + report.seen.cells, ["again"] + report.again.cells,
                                  ["query"] + report.query.cells]))
        Output.line("\(report.runs) runs, \(report.backend)")
    }
}

struct DiscoveryReport: Encodable {
    let runs: Int
    let backend: String
    let seen, again, query: Percentiles
    enum CodingKeys: String, CodingKey { case runs, backend, seen = "seen_ms", again = "again_ms", query = "query_ms" }
}
