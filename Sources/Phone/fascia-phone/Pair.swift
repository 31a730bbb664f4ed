import ArgumentParser
import FasciaEvents
import FasciaPhone
import Foundation

struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Pair with a car by the code it shows.",
        discussion: """
            Pairing proves to both ends that the other knows the code, and remembers the other's key. It is needed once.

              fascia-phone pair --car "My Car"
              fascia-phone pair --connect 192.168.7.1:5740 --code 123456
            """
    )

    @OptionGroup var carOptions: CarOptions
    @OptionGroup var codeOption: CodeOption
    @OptionGroup var stateOptions: StateOptions

    @Option(help: ArgumentHelp("How long to look for the car.", valueName: "seconds"))
    var timeout: Double = 10

    @OptionGroup var nameOption: NameOption

    @MainActor
    func run() async throws {
        let state = try stateOptions.open()
        let address = try await CarSearch.address(of: carOptions.target, within: .seconds(timeout), log: PhoneLog.make(.warning))
        let peer = try await PairingCommand.pair(at: address, name: nameOption.name, code: codeOption.provider, state: state,
                                                 events: try EventLog(path: nil, narrate: { _ in }), log: PhoneLog.make(.warning))
        print("Paired with “\(peer.name)” (\(peer.fingerprint.short)).")
    }
}
