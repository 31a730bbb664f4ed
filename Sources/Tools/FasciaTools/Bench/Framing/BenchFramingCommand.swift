import ArgumentParser
import Foundation

struct BenchFramingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "framing",
        abstract: "Frames per second, on one core.",
        discussion: """
            Three readings of the same bytes, a 64 KiB buffer of MESSAGE frames with 64 bytes of payload, as a socket gives them:
              header    FrameScanner: header parsing with every check of the specification
              machine   LinkMachine.receive: channels, credit (and the CREDIT frames it answers with), reassembly, registry
              SwiftNIO  a length-field ByteToMessageDecoder in a channel pipeline, which does no more than cut frames
            They take turns; each figure is the median of the rounds. Allocations are counted by standing in front of malloc.

            EXAMPLES
              fascia bench framing
              fascia bench framing --json
            """)

    @Flag(help: "Write JSON.") var json = false
    @Option(help: "Rounds.") var rounds = 7
    @Option(help: "Seconds for each reading in a round.") var seconds = 0.2

    func validate() throws {
        guard (1...1000).contains(rounds), seconds > 0, seconds <= 60 else { throw ValidationError("--rounds is 1 to 1000, --seconds at most 60") }
    }

    func run() throws {
        BenchCommand.noteDebugBuild()
        let report = try FramingBench.run(rounds: rounds, seconds: seconds)
        if json { return try Output.json(report) }
        Output.line(Output.table([
            ["reading", "million frames/s"],
            ["header parsing, validated", Self.millions(report.framesPerSecond)],
            ["link machine", Self.millions(report.machineFramesPerSecond)],
        ] + report.yardsticks.map { ["yardstick: \($0.name)", Self.millions($0.framesPerSecond)] }))
        Output.line("payload \(report.payloadBytes) bytes, \(report.allocationsPerFrame.map { String(format: "%.3f", $0) } ?? "uncounted") allocations per frame in steady state")
    }

    private static func millions(_ value: Double) -> String { "\((value / 100_000).rounded() / 10)" }
}

struct FramingReport: Encodable {
    struct Yardstick: Encodable {
        let name: String
        let framesPerSecond: Double
        enum CodingKeys: String, CodingKey { case name, framesPerSecond = "frames_per_s" }
    }

    let framesPerSecond: Double
    let payloadBytes: Int
    let machineFramesPerSecond: Double
    /// Of the two own readings the larger; nil in a sanitizer build, which brings an allocator of its own.
    let allocationsPerFrame: Double?
    let yardsticks: [Yardstick]

    enum CodingKeys: String, CodingKey {
        case framesPerSecond = "frames_per_s", payloadBytes = "payload_bytes", machineFramesPerSecond = "machine_frames_per_s"
        case allocationsPerFrame = "allocations_per_frame", yardsticks
    }
}
