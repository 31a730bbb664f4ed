import FasciaEvents
import FasciaProcesses
import Foundation
import Synchronization

/// Many cycles, by several workers at a time, each with a pair of its own on a thread of its own.
final class Campaign: Sendable {
    struct Options: Sendable {
        var cycles: Range<Int>
        var seed: UInt64
        var workers: Int
        var bound: Double
        var kinds: [FaultKind]
        /// Failed cycles' logs go here, a directory each.
        var keep: String
        /// Ends at the first violation.
        var stopsAtViolation: Bool
        /// Every cycle tells its timeline.
        var tellsAll: Bool
    }

    private struct State {
        var next: Int
        var table: CampaignTable
        var isEnding = false
        /// Fresh pairs in a row that did not come together.
        var stillborn = 0
    }

    /// After so many there is something wrong with the machine or the programs that no further cycle would tell more about.
    private static let patience = 3

    let options: Options
    private let state: Mutex<State>
    private let report: @Sendable (CycleResult) -> Void

    /// - Parameter report: hears of each cycle as it ends, from any thread.
    init(_ options: Options, report: @escaping @Sendable (CycleResult) -> Void) {
        self.options = options
        self.report = report
        state = Mutex(State(next: options.cycles.lowerBound, table: CampaignTable(seed: options.seed, planned: options.cycles.count)))
    }

    /// The cycles under way are broken off, programs end, `run` returns.
    func interrupt() { state.withLock { $0.isEnding = true } }
    var isEnding: Bool { state.withLock { $0.isEnding } }
    var table: CampaignTable { state.withLock { $0.table } }

    /// Returns when all cycles are through, or after `interrupt`.
    func run() async throws -> CampaignTable {
        let start = MonotonicClock.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<max(1, options.workers) {
                group.addTask {
                    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                        Thread.detachNewThread { continuation.resume(with: Result { try self.work(worker) }) }
                    }
                }
            }
            do { for try await _ in group {} } catch {
                interrupt()
                throw error
            }
        }
        return state.withLock {
            $0.table.seconds = Double(MonotonicClock.now() - start) / 1e9
            return $0.table
        }
    }

    private func nextCycle() -> Int? {
        state.withLock { state in
            guard !state.isEnding, state.next < options.cycles.upperBound else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func work(_ worker: Int) throws {
        let home = try TemporaryDirectory()
        var count = 0
        var current: (pair: ChaosPair, checks: PairChecks)?
        defer { if let current { retire(current.pair) } }
        while let number = nextCycle() {
            let plan = CyclePlan(seed: options.seed, number: number, only: options.kinds)
            if current == nil {
                count += 1
                do { current = try begin(in: home.file("pair-\(count)")) } catch {
                    if isEnding { break }
                    try stillborn(plan, error)
                    continue
                }
            }
            guard let (pair, checks) = current else { break }
            var result = CycleRunner(pair: pair, plan: plan, checks: checks, keepsTimeline: options.tellsAll).run()
            if isEnding { break }
            if !result.violations.isEmpty {
                // What is wrong now must not be counted again: the next cycle has programs and state of its own.
                retire(pair)
                current = nil
                result.kept = try? keep(pair, result)
                if options.stopsAtViolation { interrupt() }
            }
            state.withLock {
                $0.table.add(result)
                $0.stillborn = 0
            }
            report(result)
        }
    }

    /// Fresh programs that do not come together are a finding of the cycle they were started for; the others go on, and their table is
    /// not lost.
    private func stillborn(_ plan: CyclePlan, _ error: any Error) throws {
        var result = CycleResult(number: plan.number, kind: plan.kind)
        result.violations = ["before the cycle: \(error)"]
        let isHopeless = state.withLock { state in
            state.table.add(result)
            state.stillborn += 1
            return state.stillborn >= Self.patience
        }
        report(result)
        if isHopeless { throw error }
        if options.stopsAtViolation { interrupt() }
    }

    private func begin(in directory: String) throws -> (ChaosPair, PairChecks) {
        let pair = try ChaosPair(directory: directory, bound: options.bound, flags: ProgramFlags()) { [unowned self] in isEnding }
        do {
            try pair.startHeadUnit(anew: true)
            try pair.startPhone()
            guard pair.reactor.run(within: 20, until: { pair.isQuiet }) || isEnding else {
                throw ToolError("phone and head unit do not come together: \(pair.unrest.joined(separator: "; "))\n" + pair.timeline.text.suffix(40).joined(separator: "\n"))
            }
            return (pair, try PairChecks(pair))
        } catch {
            pair.end()
            throw error
        }
    }

    private func retire(_ pair: ChaosPair) {
        pair.end()
        state.withLock { $0.table.add(peaks: pair.peaks, restarts: pair.restarts) }
    }

    private func keep(_ pair: ChaosPair, _ result: CycleResult) throws -> String {
        let path = options.keep + "/seed-\(options.seed)-cycle-\(result.number)"
        try FileManager.default.createDirectory(atPath: options.keep, withIntermediateDirectories: true)
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for name in ["phone.log", "headunit.log", "phone/trust.json", "car/trust.json"] {
            try? FileManager.default.copyItem(atPath: pair.file(name), toPath: path + "/" + name.replacingOccurrences(of: "/", with: "-"))
        }
        try (result.violations.map { "VIOLATION " + $0 } + [""] + result.timeline).joined(separator: "\n").write(toFile: path + "/timeline.txt", atomically: true, encoding: .utf8)
        return path
    }
}
