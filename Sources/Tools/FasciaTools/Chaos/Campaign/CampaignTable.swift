import Foundation

/// What a campaign found, by kind of fault.
struct CampaignTable: Sendable {
    private struct Row {
        var cycles = 0
        var violations = 0
        var reconnects: [UInt64] = []
    }

    let seed: UInt64
    /// Cycles that were asked for.
    let planned: Int
    var seconds = 0.0
    private var rows: [FaultKind: Row] = [:]
    private(set) var failed: [(cycle: Int, violations: [String], kept: String?)] = []
    private var peaks: [ChaosPair.End: (descriptors: Int, memory: Int)] = [:]
    private var restarts: [ChaosPair.End: Int] = [:]

    init(seed: UInt64, planned: Int) { (self.seed, self.planned) = (seed, planned) }

    var cycles: Int { rows.values.reduce(0) { $0 + $1.cycles } }
    /// Cycles that did not come to an end, or not to a beginning: the campaign was ended before.
    var missing: Int { planned - cycles }
    var violations: Int { rows.values.reduce(0) { $0 + $1.violations } }

    mutating func add(_ result: CycleResult) {
        rows[result.kind, default: Row()].cycles += 1
        if let reconnect = result.reconnect { rows[result.kind]?.reconnects.append(reconnect) }
        guard !result.violations.isEmpty else { return }
        rows[result.kind]?.violations += result.violations.count
        failed.append((result.number, result.violations, result.kept))
    }

    mutating func add(peaks: [ChaosPair.End: (descriptors: Int, memory: Int)], restarts: [ChaosPair.End: Int]) {
        for (end, peak) in peaks {
            let before = self.peaks[end] ?? (0, 0)
            self.peaks[end] = (max(before.descriptors, peak.descriptors), max(before.memory, peak.memory))
        }
        for (end, count) in restarts { self.restarts[end, default: 0] += count }
    }

    var text: String {
        var lines = [["FAULT", "CYCLES", "RECONNECT p50 ms", "p99 ms", "max ms", "VIOLATIONS"]]
        for kind in FaultKind.allCases {
            guard let row = rows[kind] else { continue }
            lines.append([kind.rawValue, String(row.cycles)] + Self.figures(row.reconnects) + [String(row.violations)])
        }
        let all = rows.values.flatMap(\.reconnects)
        lines.append(["all", String(cycles)] + Self.figures(all) + [String(violations)])
        let programs = [ChaosPair.End.phone, .headUnit].map { end in
            let peak = peaks[end] ?? (0, 0)
            return "\(end.rawValue): ended \(restarts[end] ?? 0) times, at most \(peak.descriptors) descriptors and \(peak.memory >> 20) MiB"
        }
        let shortfall = missing == 0 ? "" : "\nENDED EARLY: \(cycles) of \(planned) cycles are in this table, \(missing) are not"
        return Output.table(lines) + "\nseed \(seed), \(Int(seconds)) s; " + programs.joined(separator: "; ") + shortfall
    }

    private static func figures(_ values: [UInt64]) -> [String] {
        guard let percentiles = Percentiles(nanoseconds: values) else { return ["-", "-", "-"] }
        return [percentiles.p50, percentiles.p99, percentiles.max].map { String(format: "%.1f", $0) }
    }
}

extension CampaignTable {
    /// The form of `--json`.
    struct Report: Encodable {
        struct Fault: Encodable {
            var fault: String
            var cycles: Int
            var violations: Int
            var reconnect_ms: Percentiles?
        }
        struct Failure: Encodable {
            var cycle: Int
            var violations: [String]
            var replay: String
        }
        struct Program: Encodable {
            var ended: Int
            var peak_descriptors: Int
            var peak_rss_bytes: Int
        }
        var seed: UInt64
        var planned: Int
        var cycles: Int
        var seconds: Double
        var violations: Int
        var reconnect_ms: Percentiles?
        var faults: [Fault]
        var failures: [Failure]
        var programs: [String: Program]
    }

    var json: Report {
        Report(
            seed: seed, planned: planned, cycles: cycles, seconds: seconds, violations: violations, reconnect_ms: Percentiles(nanoseconds: rows.values.flatMap(\.reconnects)),
            faults: FaultKind.allCases.compactMap { kind in
                rows[kind].map { .init(fault: kind.rawValue, cycles: $0.cycles, violations: $0.violations, reconnect_ms: Percentiles(nanoseconds: $0.reconnects)) }
            },
            failures: failed.map { .init(cycle: $0.cycle, violations: $0.violations, replay: "fascia chaos --seed \(seed) --cycle \($0.cycle)") },
            programs: Dictionary(uniqueKeysWithValues: [ChaosPair.End.phone, .headUnit].map { end in
                (end.rawValue, .init(ended: restarts[end] ?? 0, peak_descriptors: peaks[end]?.descriptors ?? 0, peak_rss_bytes: peaks[end]?.memory ?? 0))
            }))
    }
}
