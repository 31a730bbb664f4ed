import FasciaProcesses
import Foundation
import FuzzCore

/// Runs `MutationWorker` in a process of its own, which may die, hang or eat memory; the input it was at is left in a file.
struct MutationFuzzer: Fuzzer {
    private let workshop: Workshop
    private let seed: UInt64

    init(_ workshop: Workshop, seed: UInt64) {
        self.workshop = workshop
        self.seed = seed
    }

    func run(_ target: FuzzTarget, seconds: Int, jobs: Int) async throws -> FuzzResult {
        let workers = try await (0..<jobs).asyncMap { job in
            let slot = "\(workshop.folder)/now-\(target.name)-\(getpid())-\(job)"
            let worker = try await ChildProgram(
                Programs.own(), ["fuzz", target.name, "--worker", slot, "--seconds", "\(seconds)", "--seed", "\(seed &+ UInt64(job))"],
                environment: ["SWIFT_BACKTRACE": "enable=no"])
            return (worker, slot)
        }
        var finding: String?, runs = 0
        for (worker, slot) in workers {
            defer {
                worker.end()
                try? FileManager.default.removeItem(atPath: slot)
            }
            var last = "", hangs = false
            do {
                // Every second it says how far it is.
                while true { last = try await worker.line(within: .seconds(60)) { $0.hasPrefix("runs ") || $0.hasPrefix("finding ") } }
            } catch { hangs = worker.status == nil }
            if hangs { worker.signal(SIGKILL) }
            let status = try await worker.exitStatus()
            runs += last.hasPrefix("runs ") ? Int(last.dropFirst(5)) ?? 0 : 0
            workshop.note("\(target.name): \(last.hasPrefix("runs") ? last : "stopped"), without coverage\(status == 0 ? ", nothing found" : "")")
            if status == 0 || finding != nil { continue }
            let kept = "\(workshop.findings)/\(target.name)-own-\(seed)"
            try Data(MutationWorker.input(in: slot)).write(to: URL(fileURLWithPath: kept))
            let what = hangs ? "no end within 60 s" : last.hasPrefix("finding ") ? String(last.dropFirst(8)) : "the process died (\(status))"
            finding = "\(target.name): \(what)\n    fascia fuzz \(target.name) --replay \(kept)"
        }
        return FuzzResult(target: target.name, engine: .builtIn, seconds: seconds, runs: runs, edges: nil, finding: finding)
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
        var result: [T] = []
        for element in self { result.append(try await body(element)) }
        return result
    }
}
