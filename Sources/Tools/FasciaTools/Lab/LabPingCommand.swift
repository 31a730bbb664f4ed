import ArgumentParser
import FasciaLab

struct LabPingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ping", abstract: "Round trips from the phone to the car over the link.")

    @OptionGroup var name: LabName
    @Option(help: "How many.") var count = 100
    @Flag(help: "Write JSON.") var json = false

    struct Report: Encodable {
        let sent: Int
        let lost: Int
        let rtt_ms: Percentiles?
    }

    func validate() throws {
        guard (1...1_000_000).contains(count) else { throw ValidationError("--count takes 1 to 1000000.") }
    }

    func run() async throws {
        let times = try await withLab(name.name) { try await $0.ping(count: count) }
        let answered = times.compactMap(\.self)
        let report = Report(sent: count, lost: count - answered.count, rtt_ms: Percentiles(nanoseconds: answered))
        if json { return try Output.json(report) }
        Output.line("\(report.sent) sent, \(report.lost) lost" + (report.rtt_ms.map { ", round trip p50 \($0.p50)  p90 \($0.p90)  p99 \($0.p99)  max \($0.max) ms" } ?? ""))
    }
}
