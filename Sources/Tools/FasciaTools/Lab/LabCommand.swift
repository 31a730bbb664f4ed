import ArgumentParser
import FasciaLab

public struct LabCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Two hosts on this machine, joined by a link that can be slow, lossy, and cut. Needs root.",
        discussion: """
            The hosts `car` (\(LabHost.car.address)) and `phone` (\(LabHost.phone.address)) are network namespaces
            with a D-Bus and an avahi-daemon of their own each. Every packet between them crosses the emulated link.

            EXAMPLES
              fascia lab up                                  make the hosts, join them
              fascia lab exec car -- fascia-headunit --headless
              fascia lab exec phone -- fascia discover
              fascia lab delay --rtt 10ms --jitter 1ms --loss 2
              fascia lab cut 300ms                           nothing passes for 300 ms
              fascia lab cut ; fascia lab restore
              fascia lab ask "gaps 200ms..460ms every 1s..3s seed 7"
              fascia lab ask "rate 10mbit toward phone"
              fascia lab ping
              fascia lab status ; fascia lab ask stats
              fascia lab down
            """,
        subcommands: [
            LabUpCommand.self, LabDownCommand.self, LabExecCommand.self, LabCutCommand.self, LabRestoreCommand.self, LabDelayCommand.self,
            LabPingCommand.self,
            LabAskCommand.self, LabStatusCommand.self, LabSoakCommand.self, LabCutBenchCommand.self, LabLinkCommand.self,
        ])

    public init() {}
}

struct LabName: ParsableArguments {
    @Option(help: "Which lab; several of different names can be up.") var name = "fascia"
}

/// Says why a lab command failed; without root it is a wrong use of the command, as an unknown option is.
func withLab<Value>(_ name: String, _ body: (Lab) async throws -> Value) async throws -> Value {
    do { return try await body(try Lab(name: name)) } catch let error as LabError {
        Output.note("fascia lab: \(error.description)")
        throw error.code == .notAllowed || error.code == .wrongName || error.code == .refused ? ExitCode.validationFailure : ExitCode.failure
    }
}

/// A lab as long as `body` runs.
func withFreshLab<Value>(_ name: String, _ options: Lab.Options = Lab.Options(), _ body: (Lab) async throws -> Value) async throws -> Value {
    try await withLab(name) { lab in
        try await lab.up(.process, options: options)
        let result: Result<Value, any Error>
        do { result = .success(try await body(lab)) } catch { result = .failure(error) }
        try await lab.down()
        return try result.get()
    }
}
