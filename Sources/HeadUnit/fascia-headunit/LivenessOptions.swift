import ArgumentParser
import FasciaWire

/// When a silent phone is probed, suspected and given up (spec, Liveness). The phone takes over what is set here.
struct LivenessOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Milliseconds of silence after which the phone is asked whether it is there.", valueName: "ms"))
    var probeInterval: UInt32 = 100

    @Option(help: ArgumentHelp("Milliseconds of silence after which the connection is in doubt; the phone races a new one beside it.", valueName: "ms"))
    var suspectAfter: UInt32 = 300

    @Option(help: ArgumentHelp("Milliseconds of silence after which the connection is lost.", valueName: "ms"))
    var deadAfter: UInt32 = 1_500

    @Option(help: ArgumentHelp("Milliseconds a lost phone may take to come back to its session; its last picture stays that long.", valueName: "ms"))
    var grace: UInt32 = 10_000

    func validate() throws {
        func check(_ option: String, _ value: UInt32, _ range: ClosedRange<UInt32>, _ why: String) throws {
            guard range.contains(value) else { throw ValidationError("\(option) takes \(range.lowerBound) to \(range.upperBound) ms\(why); \(value) is not.") }
        }
        try check("--probe-interval", probeInterval, 10...10_000, "")
        try check("--suspect-after", suspectAfter, 2 * probeInterval...60_000, ": twice the probe interval or more")
        try check("--dead-after", deadAfter, suspectAfter + probeInterval...120_000, ": a probe interval or more beyond --suspect-after")
        try check("--grace", grace, 1...600_000, "")
    }

    var message: Liveness {
        .with {
            $0.probeIntervalMs = probeInterval
            $0.suspectAfterMs = suspectAfter
            $0.deadAfterMs = deadAfter
            $0.graceMs = grace
        }
    }
}
