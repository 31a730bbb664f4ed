import ArgumentParser

public struct BenchCommand: ParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures, each figure beside its yardstick in the same run.",
        discussion: "Build with `swift build -c release`: figures of a debug build say nothing.",
        subcommands: [BenchAudioCommand.self, BenchFramingCommand.self, BenchConnectCommand.self, BenchDiscoveryCommand.self, BenchInputCommand.self,
                      BenchReconnectCommand.self, TLSClientCommand.self, TLSServerCommand.self])

    public init() {}

    static func noteDebugBuild() {
        #if DEBUG
        Output.note("this is a debug build; measure with: swift build -c release && .build/release/fascia bench …")
        #endif
    }
}
