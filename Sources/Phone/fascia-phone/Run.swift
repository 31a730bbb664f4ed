import ArgumentParser
import FasciaAppLink
import FasciaEvents
import FasciaPhone
import FasciaService
import FasciaTLS
import Foundation
import Logging

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run apps on a car's head unit; reconnects by itself until Ctrl-C.",
        discussion: """
            Pairs first if it must, with --code or by asking for it. Every --app is the executable of a program that imports \
            CarPlay, with its Info.plist and Entitlements.plist in the .app folder beside it; it is started when its icon is \
            chosen in the car.

              fascia-phone run --car "My Car" --app .build/release/RubberSoul
              fascia-phone run --connect 127.0.0.1:5740 --code 123456 --app ./MyApp --events phone.jsonl
            """
    )

    @OptionGroup var carOptions: CarOptions
    @OptionGroup var codeOption: CodeOption
    @OptionGroup var stateOptions: StateOptions

    @Option(name: .customLong("app"), help: ArgumentHelp("An app to offer; may be repeated.", valueName: "executable"))
    var apps: [String] = []

    @Option(help: ArgumentHelp("Append events to this file, one JSON object a line.", valueName: "file"))
    var events: String?

    @Option(help: "How sound travels to the car: pcm, or opus for a thirtieth of the bytes where the car takes it.")
    var audioCodec: AudioCodecOption = .pcm

    @OptionGroup var powerHint: PowerHintOption

    @OptionGroup var budgetOptions: BudgetOptions

    @OptionGroup var nameOption: NameOption

    @Flag(name: .shortAndLong, help: "Say more about what goes on.")
    var verbose = false

    @Option(help: ArgumentHelp("The clock on the screen moves every so many milliseconds; for measurements.", visibility: .hidden))
    var tick: Int?

    @Option(help: ArgumentHelp("full, ticket or early-data: how much of TLS handshakes tickets may save; for measurements.", visibility: .hidden))
    var tls: TicketCache.Use = .earlyData

    @MainActor
    func run() async throws {
        let log = PhoneLog.make(verbose ? .trace : .info)
        let bundles = try apps.map { path in
            do { return try AppBundle.load(executable: path) } catch { throw Complaint("--app \(path): \(error)") }
        }
        if bundles.isEmpty { log.notice("no --app given: the car will show an empty home screen") }
        let service = ServiceManager.fromEnvironment()
        let alive = service.keepAlive()
        defer { alive?.cancel() }
        let eventLog = try EventLog(path: events, observe: { service.phone($0) }, isDeferred: true)
        var configuration = PhoneConfiguration(car: carOptions.target, name: nameOption.name, pairingCode: codeOption.provider, apps: bundles,
                                               budgets: budgetOptions.budgets)
        configuration.powerHint = try powerHint.open()
        configuration.clockTick = tick.map { .milliseconds(max(1, $0)) }
        configuration.tickets = tls
        configuration.prefersOpus = audioCodec == .opus
        let phone = try Phone(configuration, state: try stateOptions.open(), events: eventLog, log: log)
        try await Interruption.run { try await phone.run() }
    }
}

enum AudioCodecOption: String, ExpressibleByArgument, CaseIterable {
    case pcm
    case opus
}

extension TicketCache.Use: ExpressibleByArgument {}
