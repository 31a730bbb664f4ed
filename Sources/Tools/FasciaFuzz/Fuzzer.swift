import FuzzCore

/// Something that tries inputs.
protocol Fuzzer {
    func run(_ target: FuzzTarget, seconds: Int, jobs: Int) async throws -> FuzzResult
}

/// What tries the inputs: what a silence is worth depends on it.
enum FuzzEngine: String, Encodable, Sendable, CaseIterable {
    /// Guided by coverage, and every access to memory is checked.
    case sanitizer = "libFuzzer with AddressSanitizer"
    /// Random changes of the corpus: it sees traps, broken rules, hangs and memory without end.
    case builtIn = "the built-in mutation fuzzer, without coverage and sanitizer"
}

/// What one target came to.
struct FuzzResult: Encodable, Sendable {
    let target: String
    let engine: FuzzEngine
    let seconds: Int
    /// Inputs tried.
    let runs: Int
    /// Edges of the program reached; nil without coverage.
    let edges: Int?
    /// What was found, and how to see it again.
    let finding: String?
}

/// What is printed at the end: `fascia fuzz --json`.
struct FuzzReport: Encodable {
    let results: [FuzzResult]

    /// For people: what was found, and by what it was looked for.
    var lines: [String] {
        let findings = results.compactMap(\.finding)
        let tried = FuzzEngine.allCases.compactMap { engine -> String? in
            let names = results.filter { $0.engine == engine }.map(\.target)
            return names.isEmpty ? nil : "\(engine.rawValue): \(names.joined(separator: ", "))"
        }
        let how = tried.count == 1 ? "by \(tried[0])" : "by\n" + tried.map { "  \($0)" }.joined(separator: "\n")
        return findings.isEmpty ? ["nothing found \(how)"] : ["found \(how)"] + findings.map { "  \($0)" }
    }
}
