import FasciaEvents
import FasciaProcesses
import FasciaSimulation
import Foundation

/// `fascia chaos --simulated`: worlds on all processors, each from its number alone.
enum SimulatedChaos {
    struct Report: Encodable {
        struct Failure: Encodable {
            var world: Int
            var violation: String
            var replay: String
        }
        var seed: UInt64
        var cycles: Int
        var seconds: Double
        var virtual_hours: Double
        var violations: Int
        var sessions: Int
        var resumes: Int
        var scene_connects: Int
        var scene_disconnects: Int
        var faults: [String: Int]
        var failures: [Failure]
    }

    /// - Parameter world: only this one.
    static func run(cycles: Int, seed: UInt64, workers: Int, world: Int?, isEnding: @escaping @Sendable () -> Bool) async -> Report {
        let start = MonotonicClock.now(), campaign = SimulationCampaign(seed: seed)
        let size = SimulationCampaign.cyclesAWorld
        let worlds = world.map { $0..<$0 + 1 } ?? 0..<(cycles + size - 1) / size
        let total = await withTaskGroup(of: SimulationCampaign.Result.self) { group in
            var next = worlds.lowerBound
            func begin() {
                guard next < worlds.upperBound, !isEnding() else { return }
                let number = next
                next += 1
                group.addTask { campaign.run(world: number, cycles: world == nil ? min(size, cycles - number * size) : size) }
            }
            for _ in 0..<workers { begin() }
            var total = SimulationCampaign.Result()
            for await result in group {
                total.add(result)
                begin()
            }
            return total
        }
        return Report(
            seed: seed, cycles: total.cycles, seconds: Double(MonotonicClock.now() - start) / 1e9, virtual_hours: Double(total.time) / 3.6e12,
            violations: total.violations.count, sessions: total.counts.sessions, resumes: total.counts.resumes, scene_connects: total.counts.sceneConnects,
            scene_disconnects: total.counts.sceneDisconnects, faults: Dictionary(uniqueKeysWithValues: total.byFault.map { ($0.key.rawValue, $0.value) }),
            failures: total.violations.map { .init(world: $0.world, violation: $0.text, replay: "fascia chaos --simulated --seed \(seed) --world \($0.world)") })
    }

    static func text(_ report: Report) -> String {
        let rows = [["FAULT", "TIMES"]] + report.faults.sorted { $0.key < $1.key }.map { [$0.key, String($0.value)] }
        let failures = report.failures.prefix(20).map { "VIOLATION \($0.violation)\n  again: \($0.replay)\n" }.joined()
        return failures + Output.table(rows) + String(
            format: "\n%d cycles in %.1f s, %.1f hours of virtual time: %d sessions, %d resumes, %d scene connects, %d disconnects, %d violations; seed %llu", report.cycles,
            report.seconds, report.virtual_hours, report.sessions, report.resumes, report.scene_connects, report.scene_disconnects, report.violations, report.seed)
    }
}
