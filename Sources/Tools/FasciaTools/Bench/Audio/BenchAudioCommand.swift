import ArgumentParser
import FasciaProcesses

struct BenchAudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audio",
        abstract: "Delay, gaps, buffer, ducking and processor time of sound.",
        discussion: """
            First in virtual time, with the objects the head unit plays with: ten minutes with clocks 100 ppm apart, lost packets, stalls of
            200 to 460 ms, and prompts that duck. Then with real processes: fascia-phone with an app that plays a tone, and fascia-headunit
            with --audio-out null, on loopback, PCM and Opus; the head unit says how old each frame was when the sink took it, and the
            kernel what each process cost with and without the stream. The yardstick is a bare thread that carries the same bytes through
            a socket at the same pace. Then a proxy stalls the link, and prompts over the car's radio end in every way: their app is done,
            kill -9, a reset, a silent cut; the head unit says what waited, and how the radio went down and came back.

            EXAMPLES
              fascia bench audio
              fascia bench audio --seconds 600 --json
              fascia bench audio --real-prompts 250
              fascia bench audio --simulated
            """)

    @Flag(help: "Write JSON.") var json = false
    @Option(help: "Seconds that each real stream is measured.") var seconds = 20
    @Option(help: "Real streams of each format, each with processes of its own.") var runs = 1
    @Option(help: "Prompts of the simulated part.") var prompts = 1000
    @Option(help: "Prompts of the real app.") var realPrompts = 12
    @Option(help: "Stalls of the real link.") var stalls = 6
    @Flag(help: "Only the part in virtual time.") var simulated = false

    func validate() throws {
        guard (1...7200).contains(seconds) else { throw ValidationError("--seconds is 1 to 7200") }
        guard (1...100).contains(runs) else { throw ValidationError("--runs is 1 to 100") }
        guard (0...10_000).contains(realPrompts), (0...10_000).contains(stalls) else { throw ValidationError("--real-prompts and --stalls are 0 to 10000") }
        guard (1...100_000).contains(prompts) else { throw ValidationError("--prompts is 1 to 100000") }
    }

    func run() async throws {
        BenchCommand.noteDebugBuild()
        let (seconds, runs, stalls, realPrompts) = (seconds, runs, stalls, realPrompts)
        var report = AudioReport(simulated: try SimulatedAudio(prompts: prompts))
        if !simulated {
            report.pcm = try await ChildPrograms.whileRunning { try await AudioRun.series(runs, codec: .pcm, seconds: seconds) }
            report.opus = try await ChildPrograms.whileRunning { try await AudioRun.series(runs, codec: .opus, seconds: seconds) }
            if stalls > 0 { report.stalls = try await ChildPrograms.whileRunning { try await StallRun(stalls: stalls).figures } }
            if realPrompts > 0 { report.prompts = try await ChildPrograms.whileRunning { try await PromptRun(prompts: realPrompts).figures } }
        }
        if json { return try Output.json(report) }
        Output.line(report.text)
    }
}
