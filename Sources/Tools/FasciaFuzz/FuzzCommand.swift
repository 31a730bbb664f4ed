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
            Builds the fuzzers (Tests/Fuzz), runs one and ends with status 0 when nothing was found, 1 with a finding, 130 after Ctrl-C.
            What was found is kept in .build/fuzz/findings with the words that replay it; new inputs go to .build/fuzz/corpus. Where the
            sanitizer build fails a mutation fuzzer of its own runs, without coverage, and a warning says so; --require-sanitizer makes
            that an error. While another process builds there, it waits. The last line says what the targets were fuzzed with.

            EXAMPLES
              fascia fuzz --list
              fascia fuzz frame --seconds 60 --require-sanitizer
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

    @Flag(help: "Fails where libFuzzer with AddressSanitizer cannot be built, instead of using the tool's own fuzzer.")
    var requireSanitizer = false

    @Flag(help: "Prints what came out as JSON, everything else on standard error.")
    var json = false

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
        if builtIn, requireSanitizer || merge { throw ValidationError("--built-in is without the sanitizer") }
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
        let note: @Sendable (String) -> Void = if json { { StandardStreams.error($0) } } else { say }
        let workshop = try Workshop(note: note)
        if let worker, let target = targets.first { MutationWorker(target, workshop, seed: seed, slot: worker).run(seconds: seconds) }
        if let replay, let target = targets.first, self.target != nil {
            guard FileManager.default.isReadableFile(atPath: replay) else { throw ValidationError("\(replay) cannot be read") }
            guard let finding = target.check(FuzzTarget.contents(replay)) else { return say("\(target.name): nothing is wrong with this input") }
            say("\(target.name): \(finding)")
            throw ExitCode(1)
        }
        let work = FuzzWork(
            targets: targets, workshop: workshop, seconds: seconds, jobs: jobs, builtIn: builtIn, requiresSanitizer: requireSanitizer || merge, seed: seed,
            coverage: coverage, merge: merge)
        // Ctrl-C ends the fuzzer, or the build, with this program: status 130.
        let report = try await ChildPrograms.whileRunning { try await work.run() }
        if merge || coverage { return }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            say(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            for line in report.lines { say(line) }
        }
        if report.results.contains(where: { $0.finding != nil }) { throw ExitCode(1) }
    }
}

/// What one command line asks for.
private struct FuzzWork: Sendable {
    let targets: [FuzzTarget]
    let workshop: Workshop
    let seconds: Int
    let jobs: Int
    let builtIn: Bool
    let requiresSanitizer: Bool
    let seed: UInt64
    let coverage: Bool
    let merge: Bool

    func run() async throws -> FuzzReport {
        if coverage {
            try await Coverage(workshop).report(targets)
            return FuzzReport(results: [])
        }
        var results: [FuzzResult] = []
        for target in targets {
            let fuzzer = try await fuzzer(for: target)
            if merge {
                try await (fuzzer as? SanitizedFuzzer)?.merge(target)
            } else {
                results.append(try await fuzzer.run(target, seconds: seconds, jobs: jobs))
            }
        }
        return FuzzReport(results: results)
    }

    /// The one that was asked for. Less than that is never used in silence.
    private func fuzzer(for target: FuzzTarget) async throws -> any Fuzzer {
        if builtIn { return MutationFuzzer(workshop, seed: seed) }
        switch try await workshop.fuzzer(for: target) {
        case .success(let fuzzer): return fuzzer
        case .failure(let why):
            let build = "swift build --package-path Tests/Fuzz --scratch-path .build/fuzz/build -c release " + Workshop.sanitizerFlags.joined(separator: " ")
            if requiresSanitizer { throw ToolError("\(target.name): libFuzzer with AddressSanitizer cannot be built:\n\(why)\nsee: \(build)") }
            StandardStreams.error("""
                WARNING: \(target.name) is fuzzed WITHOUT coverage and WITHOUT AddressSanitizer, by \(FuzzEngine.builtIn.rawValue).
                Why: the sanitizer build failed:
                \(why)
                To get the real one make this succeed: \(build)
                With --require-sanitizer this is an error.
                """)
            return MutationFuzzer(workshop, seed: seed)
        }
    }
}

@Sendable func say(_ text: String) { StandardStreams.output(text) }
