import ArgumentParser
import FasciaDiscovery
import FasciaPhone
import FasciaTrust
import Foundation

struct Cars: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the cars on the network.",
        discussion: "Exits 0 when at least one car was found, 1 otherwise."
    )

    @Option(help: ArgumentHelp("How long to look.", valueName: "seconds"))
    var timeout: Double = 2

    @Flag(help: "One JSON array on standard output.")
    var json = false

    @OptionGroup var stateOptions: StateOptions

    func validate() throws {
        guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout takes seconds, more than 0 and at most 3600.") }
    }

    func run() async throws {
        let trust = try TrustStore(stateOptions.open())
        let cars = try await CarSearch.all(for: .seconds(timeout), log: PhoneLog.make(.warning))
        let rows = cars.map { CarRow($0, trust: trust) }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(rows), as: UTF8.self))
        } else if rows.isEmpty {
            print("No cars found in \(timeout.formatted()) s.")
        } else {
            for row in rows { print(row.line) }
        }
        if rows.isEmpty { throw ExitCode.failure }
    }
}

private struct CarRow: Encodable {
    let name: String
    let host: String
    let port: UInt16
    let id: String?
    let paired: Bool
    let accepts_pairing: Bool

    init(_ car: DiscoveredCar, trust: TrustStore) {
        name = car.displayName
        host = car.host
        port = car.port
        id = car.id
        paired = car.id.map { id in trust.peers.contains { $0.fingerprint.short == id } } ?? false
        accepts_pairing = car.acceptsPairing
    }

    var line: String {
        let address = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        return "\(name)\t\(address)\t\(paired ? "paired" : accepts_pairing ? "new" : "not accepting phones")"
    }
}
