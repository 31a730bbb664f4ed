import FasciaLab
import FasciaProcesses
import Foundation
import Histogram

/// The runs of `fascia bench reconnect`.
struct ReconnectBench: Sendable {
    let fault: ReconnectFault
    let mode: HandshakeMode
    let runs: Int
    /// Seconds of each cut; empty but for `cut`.
    let cuts: [Double]
    let roundTrip: Duration?
    /// 0 to 1.
    let loss: Double
    /// TCP Fast Open in the lab.
    let fastOpen: Bool
    let app: String?
    /// Failed runs in a row after which it makes no sense to go on.
    private static let patience = 5

    func run() async throws -> [ReconnectResult] {
        guard roundTrip != nil || fault.needsLab else { return try await run(on: .loopback) }
        let lab = try Lab(name: "bench-\(ProcessInfo.processInfo.processIdentifier)")
        var options = Lab.Options()
        options.fastOpen = fastOpen
        try await lab.up(options: options)
        do {
            try lab.link.set(roundTrip: roundTrip ?? .zero, loss: loss)
            let results = try await run(on: .lab(lab))
            try await lab.down()
            return results
        } catch {
            try? await lab.down()
            throw error
        }
    }

    private func run(on path: BenchPath) async throws -> [ReconnectResult] {
        let directory = try TemporaryDirectory()
        let floor = try await TLSFloor(mode: mode, path: path, in: directory)
        defer { floor.end() }
        guard fault == .cut else { return [try await measure(on: path, floor, cut: nil)] }
        var results: [ReconnectResult] = []
        for cut in cuts { results.append(try await measure(on: path, floor, cut: cut)) }
        return results
    }

    private func measure(on path: BenchPath, _ floor: TLSFloor, cut: Double?) async throws -> ReconnectResult {
        let options = ReconnectPair.Options(mode: mode, app: app, tick: cut == nil ? nil : BenchReconnectCommand.tick, discovers: fault.changesPort)
        var pair = try await ReconnectPair(path, options)
        defer { pair.end() }
        var outcomes: [FaultRun.Outcome] = []
        var floors: [UInt64] = []
        var failures = 0, inARow = 0
        for number in 1...runs {
            do {
                let run = FaultRun(pair: pair, fault: fault)
                if let cut { outcomes.append(try await run.cut(for: .milliseconds(Int64(cut * 1_000)))) } else { outcomes.append(try await run.run()) }
                inARow = 0
            } catch let error as ToolError {
                failures += 1
                inARow += 1
                Output.note("run \(number) failed: \(error)")
                guard inARow < Self.patience else { throw ToolError("\(inARow) runs in a row failed; the last one because: \(error)") }
                pair.end()
                pair = try await ReconnectPair(path, options)
            }
            floors.append(try await floor.measure().received)
            try await pair.settle()
        }
        return result(outcomes, floors, failures, cut: cut)
    }

    private func result(_ outcomes: [FaultRun.Outcome], _ floors: [UInt64], _ failures: Int, cut: Double?) -> ReconnectResult {
        let names = Set(outcomes.flatMap(\.phases.keys))
        let phases = names.map { name in (name, Percentiles(nanoseconds: outcomes.compactMap { $0.phases[name] })) }
        let floor = Percentiles(nanoseconds: floors)
        func count(_ names: [String]) -> [String: Int] { names.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
        let report = ReconnectReport(
            runs: runs, mode: mode, fault: fault, rttMilliseconds: (roundTrip ?? .zero) / .milliseconds(1), lossPercent: loss * 100, cut: cut,
            firstFrame: Percentiles(nanoseconds: outcomes.map(\.firstFrame)),
            phases: Dictionary(uniqueKeysWithValues: phases.compactMap { name, value in value.map { (name, $0) } }),
            floor: floor.map { .init(p50: $0.p50, p99: $0.p99) }, failures: failures,
            handshakes: count(outcomes.compactMap { $0.handshake?.rawValue }), outcomes: count(outcomes.map(\.outcome)), linkBack: fault.linkBack)
        return ReconnectResult(report: report, firstFrames: outcomes.map(\.firstFrame), floors: floors)
    }
}
