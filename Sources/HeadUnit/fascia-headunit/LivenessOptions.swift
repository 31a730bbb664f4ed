import ArgumentParser
import FasciaHeadUnit

/// How soon a silent phone is doubted, given up and forgotten; for tests and for links that are known to be bad.
struct LivenessOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Silence after which the phone is asked for a sign of life; 10 to 10000 (default: 100).", valueName: "ms"))
    var probeInterval: UInt32?

    @Option(help: ArgumentHelp("Silence after which the link is in doubt; at least two probe intervals (default: 300).", valueName: "ms"))
    var suspectAfter: UInt32?

    @Option(help: ArgumentHelp("Silence after which the link is dead (default: 1500).", valueName: "ms"))
    var deadAfter: UInt32?

    @Option(help: ArgumentHelp("How long a lost phone may take to come back to the same session (default: 10000).", valueName: "ms"))
    var grace: UInt32?

    func validate() throws {
        guard (10...10_000).contains(probeInterval ?? 10) else { throw ValidationError("--probe-interval takes 10 to 10000 milliseconds.") }
        guard (20...60_000).contains(suspectAfter ?? 20) else { throw ValidationError("--suspect-after takes 20 to 60000 milliseconds.") }
        guard (30...120_000).contains(deadAfter ?? 30) else { throw ValidationError("--dead-after takes 30 to 120000 milliseconds.") }
        guard (1...600_000).contains(grace ?? 1) else { throw ValidationError("--grace takes 1 to 600000 milliseconds.") }
    }

    func apply(to options: inout HeadUnitOptions) {
        options.probeIntervalMilliseconds = probeInterval ?? 0
        options.suspectAfterMilliseconds = suspectAfter ?? 0
        options.deadAfterMilliseconds = deadAfter ?? 0
        if let grace { options.graceMilliseconds = grace }
    }
}
