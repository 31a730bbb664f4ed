import ArgumentParser
import FasciaEvents
import FasciaProcesses
import Foundation
import FuzzCore
import FuzzSystem

public struct FuzzCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "fuzz",
        abstract: "Fuzzes a parser, or all of them in turn, with libFuzzer and AddressSanitizer.",
        discussion: """
            Builds the fuzzers (Tests/Fuzz), runs one and ends with status 0 when nothing was found, 1 with a finding,
            130 after Ctrl-C. What was found is
            kept in .build/fuzz/findings with the words that replay it; new inputs go to .build/fuzz/corpus. Where the sanitizer
            build is not available, a mutation fuzzer of its own runs: same targets, no coverage.

            EXAMPLES
              fascia fuzz --list
              fascia fuzz frame --seconds 60
              fascia fuzz link --replay .build/fuzz/findings/link-crash-…
              fascia fuzz --coverage          regions the corpus reaches, by target
            """)

    @Argument(help: "Which one, see --list. All of them in turn when left out.")
    var target: String?

    @Option(help: "How long to run each.")
    var seconds = 60

    @Option(help: "Processes that fuzz at the same time.")
    var jobs = 1

    @Flag(help: "Says what there is to fuzz.")
    var list = false

    @Flag(help: "Uses the tool's own mutation fuzzer.")
    var builtIn = false

    @Option(help: "Of the tool's own fuzzer: the same seed tries the same inputs.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Runs one input once.", valueName: "file"))
    var replay: String?

    @Flag(help: "Measures what the corpus in Fixtures/fuzz reaches.")
    var coverage = false

    @Flag(help: "Adds to the corpus in Fixtures/fuzz what the inputs found so far reach beyond it.")
    var merge = false

    @Option(help: .hidden)
    var worker: String?

    public init() {}

    public func validate() throws {
        guard seconds > 0, jobs > 0 else { throw ValidationError("--seconds and --jobs are 1 or more") }
        if let target, !FuzzTarget.all.contains(where: { $0.name == target }) {
            throw ValidationError("there is no target \"\(target)\"; fascia fuzz --list names them")
        }
    }

    public func run() async throws {
        let targets = FuzzTarget.all.filter { target == nil || $0.name == target }
        if list {
            for target in targets { say("\(target.name.padding(toLength: 18, withPad: " ", startingAt: 0))\(target.summary)") }
            return
        }
        let workshop = try Workshop()
        if let worker, let target = targets.first { MutationWorker(target, workshop, seed: seed, slot: worker).run(seconds: seconds) }
        if let replay, let target = targets.first, self.target != nil {
            guard FileManager.default.isReadableFile(atPath: replay) else { throw ValidationError("\(replay) cannot be read") }
            guard let finding = target.check(FuzzTarget.contents(replay)) else { return say("\(target.name): nothing is wrong with this input") }
            say("\(target.name): \(finding)")
            throw ExitCode(1)
        }
        let work = FuzzWork(targets: targets, workshop: workshop, seconds: seconds, jobs: jobs, builtIn: builtIn, seed: seed, coverage: coverage, merge: merge)
        // Ctrl-C ends the fuzzer, or the build, with this program: status 130.
        let findings = try await ChildPrograms.whileRunning { try await work.run() }
        if merge || coverage { return }
        guard !findings.isEmpty else { return say("nothing found") }
        say("found:")
        for finding in findings { say("  \(finding)") }
        throw ExitCode(1)
    }
}

/// What one command line asks for.
private struct FuzzWork: Sendable {
    let targets: [FuzzTarget]
    let workshop: Workshop
    let seconds: Int
    let jobs: Int
    let builtIn: Bool
    let seed: UInt64
    let coverage: Bool
    let merge: Bool

    /// - Returns: what was found.
    func run() async throws -> [String] {
        if coverage {
            try await Coverage(workshop).report(targets)
            return []
        }
        var findings: [String] = []
        for target in targets {
            var fuzzer: any Fuzzer = MutationFuzzer(workshop, seed: seed)
            if !builtIn, let sanitized = try await workshop.fuzzer(for: target) { fuzzer = sanitized }
            if merge {
                guard let sanitized = fuzzer as? SanitizedFuzzer else { throw ToolError("--merge needs the sanitizer build") }
                try await sanitized.merge(target)
            } else if let finding = try await fuzzer.run(target, seconds: seconds, jobs: jobs) {
                findings.append(finding)
            }
        }
        return findings
    }
}

/// Something that tries inputs.
protocol Fuzzer {
    /// - Returns: what was found and how to see it again, or nil.
    func run(_ target: FuzzTarget, seconds: Int, jobs: Int) async throws -> String?
}

func say(_ text: String) { StandardStreams.output(text) }
