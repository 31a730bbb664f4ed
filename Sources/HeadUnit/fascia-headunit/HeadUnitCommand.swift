import ArgumentParser
import FasciaCarrier
import FasciaEvents
import FasciaHeadUnit
import FasciaService
import FasciaTLS
import FasciaTrust
import FoundationEssentials
import Glibc
import Logging

@main
struct HeadUnitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fascia-headunit",
        abstract: "The car's side of Fascia: shows the phone's picture and sends it input.",
        discussion: HelpText.discussion)

    @Option(help: "The car's name, as phones show it.")
    var name = "Fascia Car"

    @Option(help: ArgumentHelp("Where to listen. Port 0 takes a free one; it is printed.", valueName: "host:port"))
    var listen = "[::]:\(HeadUnitOptions.defaultPort)"

    @Option(help: ArgumentHelp("Screen profile: \(ScreenProfile.builtIn.map(\.name).joined(separator: ", ")), or a JSON file.", valueName: "name|file"))
    var profile: String?

    @Flag(help: "No window, also when there is a display.")
    var headless = false

    @Option(help: ArgumentHelp("Where key and paired phones are kept. Default: $XDG_STATE_HOME/fascia/headunit, else ~/.local/state/fascia/headunit.", valueName: "directory"))
    var stateDir: String?

    @Option(help: ArgumentHelp("Six digits; default: random, new after each pairing.", valueName: "code"))
    var pairingCode: String?

    @Flag(help: "Do not announce the car by mDNS.")
    var noDiscovery = false

    @Option(help: ArgumentHelp("Console commands to run first, from a file, a pipe or - for standard input; the first error ends with status 1. End it with quit.",
                               valueName: "file"))
    var script: String?

    @Option(help: ArgumentHelp("Append what happens, one JSON object a line.", valueName: "file"))
    var events: String?

    @Option(help: ArgumentHelp("Where sound comes out; default: the default device, else nowhere.", valueName: "null|device|FILE.wav|DIR/"))
    var audioOut: String?

    @Option(help: ArgumentHelp("What phones hear when they listen; default: the default device, else none.", valueName: "device|none|FILE.wav"))
    var mic: String?

    @Option(help: ArgumentHelp("Volume to begin with, 0 to 100, for one route; may be given again for others.", valueName: "ROUTE=N"))
    var volume: [String] = []

    @OptionGroup var liveness: LivenessOptions

    @Flag(help: ArgumentHelp("An event for every frame of the phone's; for measurements.", visibility: .hidden))
    var tellFrames = false

    static func main() async {
        StandardDescriptors.reserve()
        ProcessHeap.bound()
        OpenSSLLibrary.prepare()
        await main(nil)
    }

    @MainActor
    func run() async throws {
        let service = ServiceManager.fromEnvironment()
        _ = service.keepAlive()
        let status: Int32
        do {
            let program = try prepare(service)
            status = try await program.run(environment: ProcessInfo.processInfo.environment)
        } catch {
            StandardStreams.error("fascia-headunit: \(error)")
            ProgramEnd.now(1)
        }
        ProgramEnd.now(status)
    }

    @MainActor
    private func prepare(_ service: ServiceManager) throws -> HeadUnitProgram {
        guard let address = CarrierAddress(listen) else {
            throw HeadUnitError(.listen, "\"\(listen)\" is no address to listen on; it is HOST:PORT, for example 127.0.0.1:0 or [::]:\(HeadUnitOptions.defaultPort)")
        }
        let script = try script.map { try ConsoleScript(path: $0) }
        var options = try HeadUnitOptions(
            name: name, host: address.host, port: address.port, profile: ScreenProfile.resolve(profile), headless: headless,
            state: StateDirectory.resolve(flag: stateDir, program: "headunit"), pairingCode: pairingCode, discovery: !noDiscovery, script: script)
        options.liveness = liveness.message
        options.tellsFrames = tellFrames
        options.sound.output = try audioOut.map { (argument) throws(HeadUnitError) in try SoundOutput(argument: argument) } ?? .automatic
        options.sound.microphone = try mic.map { (argument) throws(HeadUnitError) in try MicrophoneInput(argument: argument) } ?? .automatic
        for volume in volume { try options.sound.setVolume(volume) }
        let isAnnounced = options.discovery
        let events = try EventLog(path: events, observe: { service.headUnit($0, isAnnounced: isAnnounced) }, isDeferred: true)
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        return try HeadUnitProgram(options: options, events: events, log: Logger(label: "fascia.headunit"))
    }
}
