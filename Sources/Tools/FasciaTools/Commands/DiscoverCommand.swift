import ArgumentParser
import FasciaDiscovery
import FasciaProcesses
import Foundation
import Logging

public struct DiscoverCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Lists the cars on the local network.",
        discussion: """
            Looks for _fascia._tcp by mDNS, through the Avahi daemon where it runs, else by itself.

            EXAMPLES
              fascia discover                   what answers within 3 seconds
              fascia discover --watch           go on until Ctrl-C, also telling what goes away
              fascia discover --json            a JSON array; with --watch one object a line
              FASCIA_MDNS_INTERFACE=lo FASCIA_MDNS_BACKEND=embedded fascia discover
            """)

    @Flag(help: "Write JSON.") var json = false
    @Flag(help: "Do not end; tell every change.") var watch = false
    @Option(help: "Seconds to look before the list is printed.") var timeout = 3.0
    @Option(help: "Network interface to look on (default: all, or FASCIA_MDNS_INTERFACE).") var interface: String?
    @Flag(name: .shortAndLong, help: "Say how mDNS is done.") var verbose = false

    public init() {}

    public func validate() throws {
        guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout is between 0 and 3600 seconds") }
    }

    public func run() async throws {
        var logger = Logger(label: "fascia.discovery", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = verbose ? .info : .critical
        let browser = Browser(options: try .resolve(interface: interface, environment: ProcessInfo.processInfo.environment), logger: logger)
        try browser.start()
        defer { browser.stop() }
        let interruption = Interruption()
        let end = ContinuousClock.now + .seconds(timeout)

        enum Step: Sendable { case end, error(DiscoveryError?) }
        let (json, watch) = (json, watch)
        let failure = try await withThrowingTaskGroup(of: Step.self) { group in
            group.addTask {
                var error: DiscoveryError?
                for await event in browser.events {
                    if case .unavailable(let reason) = event { error = reason }
                    if case .backend = event { error = nil }
                    if watch { try Self.tell(event, json: json) }
                }
                return .error(error)
            }
            group.addTask {
                for await _ in interruption.events { return .end }
                return .end
            }
            if !watch {
                group.addTask {
                    try? await Task.sleep(until: end, clock: .continuous)
                    return .end
                }
            }
            var failure: DiscoveryError?
            _ = try await group.next()
            let cars = browser.cars
            browser.stop() // ends the stream
            group.cancelAll()
            while let step = try await group.next() { if case .error(let error) = step { failure = error } }
            if !watch, failure == nil { try Self.list(cars, json: json, seconds: timeout) }
            return failure
        }
        if let failure { throw failure }
    }

    private static func list(_ cars: [DiscoveredCar], json: Bool, seconds: Double) throws {
        if json { return try Output.json(cars.map(CarDescription.init)) }
        guard !cars.isEmpty else {
            return Output.note("no car answered within \(seconds.formatted()) s. Is fascia-headunit running on this network, without --no-discovery?")
        }
        let rows = cars.map { [Output.printable($0.displayName), "\($0.host):\($0.port)", $0.id ?? "-", $0.acceptsPairing ? "pairing" : ""] }
        Output.line(Output.table([["NAME", "ADDRESS", "ID", ""]] + rows))
    }

    private static func tell(_ event: BrowserEvent, json: Bool) throws {
        switch event {
        case .found(let car):
            if json { return try Output.json(CarChange(event: "found", car: CarDescription(car), name: car.name)) }
            Output.line("+ \(Output.printable(car.displayName))  \(car.host):\(car.port)  \(car.id ?? "-")\(car.acceptsPairing ? "  pairing" : "")")
        case .lost(let name):
            if json { return try Output.json(CarChange(event: "lost", car: nil, name: name)) }
            Output.line("- \(Output.printable(name))")
        case .unavailable(let error): Output.note("\(error)")
        case .backend: break
        }
    }
}

/// A car as `--json` prints it.
struct CarDescription: Encodable {
    let name, host, hostName: String
    let displayName: String
    let id: String?
    let port: UInt16
    let addresses: [String]
    let pairing: Bool
    let txt: [String: String]

    init(_ car: DiscoveredCar) {
        (name, displayName, id, host, port) = (car.name, car.displayName, car.id, car.host, car.port)
        (addresses, hostName, pairing, txt) = (car.addresses, car.hostName, car.acceptsPairing, car.txt.values)
    }
}

struct CarChange: Encodable {
    let event: String
    let car: CarDescription?
    let name: String
}
