import FasciaProcesses
import Foundation
import FuzzCore

/// A program built with libFuzzer and AddressSanitizer.
struct SanitizedFuzzer: Fuzzer {
    private let workshop: Workshop
    private let program: String

    init(_ workshop: Workshop, program: String) {
        self.workshop = workshop
        self.program = program
    }

    private func environment(_ target: FuzzTarget) -> [String: String] {
        // Swift's lazy globals look like leaks. Short stacks of allocations and a small quarantine: half of the time went there.
        [FuzzTarget.environmentKey: target.name, "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0:malloc_context_size=2:quarantine_size_mb=32"]
    }

    func run(_ target: FuzzTarget, seconds: Int, jobs: Int) async throws -> FuzzResult {
        var arguments = [
            "-max_len=\(target.maximumLength)", "-max_total_time=\(seconds)", "-timeout=30", "-rss_limit_mb=2048", "-malloc_limit_mb=512",
            "-print_final_stats=1", "-artifact_prefix=\(workshop.findings)/\(target.name)-",
        ]
        if jobs > 1 { arguments.append("-fork=\(jobs)") }
        if let dictionary = workshop.dictionary(target) { arguments.append("-dict=\(dictionary)") }
        arguments += [try workshop.newInputs(target), workshop.corpus(target)]
        let fuzzer = try await ChildProgram(program, arguments, environment: environment(target))
        defer { fuzzer.end() }
        var counters = 0, last: Figures?, shown = ContinuousClock.now
        while let line = try? await fuzzer.line(within: .seconds(seconds + 600), where: { _ in true }) {
            if let loaded = Figures.counters(line) { counters = max(counters, loaded) }
            guard let figures = Figures(line) else { continue }
            last = figures
            if shown.duration(to: .now) > .seconds(5) {
                workshop.note("\(target.name): \(figures)")
                shown = .now
            }
        }
        let status = try await fuzzer.exitStatus(within: .seconds(10))
        // A fuzzer without counters runs, finds nothing and says so.
        guard counters > 0 else { throw ToolError("\(target.name): the fuzzer has no coverage counters, its silence would mean nothing\n\(fuzzer.transcript.suffix(2_000))") }
        workshop.note("\(target.name): \(last?.description ?? "no input tried"), \(counters) counters\(status == 0 ? ", nothing found" : "")")
        let finding = status == 0 ? nil : finding(target, fuzzer.transcript, status)
        return FuzzResult(target: target.name, engine: .sanitizer, seconds: seconds, runs: last?.runs ?? 0, edges: last?.edges, finding: finding)
    }

    private func finding(_ target: FuzzTarget, _ transcript: String, _ status: Int32) -> String {
        let lines = transcript.split(separator: "\n")
        let what = lines.last { $0.contains("Fatal error: ") || $0.contains("ERROR: AddressSanitizer") || $0.contains("ERROR: libFuzzer: timeout") || $0.contains("out-of-memory") }
        let file = lines.last { $0.contains("Test unit written to ") }.flatMap { $0.components(separatedBy: "written to ").last }
        let text = what.map { String($0).components(separatedBy: "Fatal error: ").last ?? "" } ?? "status \(status)"
        return "\(target.name): \(text)" + (file.map { "\n    fascia fuzz \(target.name) --replay \($0)" } ?? "\n\(transcript.suffix(2_000))")
    }

    /// Adds to the repository's corpus what reaches code beyond it, as few and small inputs as that takes; how often a place is reached does not count.
    func merge(_ target: FuzzTarget) async throws {
        let before = FuzzTarget.files(of: workshop.corpus(target)).count
        try FileManager.default.createDirectory(atPath: workshop.corpus(target), withIntermediateDirectories: true)
        let program = try await ChildProgram(
            program, ["-merge=1", "-use_counters=0", "-max_len=\(target.maximumLength)", workshop.corpus(target), try workshop.newInputs(target)], environment: environment(target))
        guard try await program.exitStatus(within: .seconds(3_600)) == 0 else { throw ToolError(String(program.transcript.suffix(2_000))) }
        workshop.note("\(target.name): \(before) inputs became \(FuzzTarget.files(of: workshop.corpus(target)).count)")
    }
}

/// What libFuzzer says of its progress: `#1024 pulse cov: 12 ft: 13 corp: 5/120b … exec/s: 512 …`.
struct Figures: CustomStringConvertible {
    let runs: Int
    let edges: Int
    let description: String

    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard line.hasPrefix("#"), let runs = Int(line.dropFirst().prefix(while: \.isNumber)) else { return nil }
        func after(_ word: String) -> String? { words.firstIndex(of: word).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil } }
        guard let reached = after("cov:").flatMap(Int.init) else { return nil }
        self.runs = runs
        edges = reached
        description = "\(runs) runs, \(after("exec/s:").map { "\($0)/s, " } ?? "")\(reached) edges, corpus \(after("corp:") ?? "0")"
    }

    /// Of `INFO: Loaded 1 modules   (12345 inline 8-bit counters): …`.
    static func counters(_ line: String) -> Int? {
        guard line.contains("Loaded "), line.contains("inline 8-bit counters"), let open = line.firstIndex(of: "(") else { return nil }
        return Int(line[line.index(after: open)...].prefix(while: \.isNumber))
    }
}
