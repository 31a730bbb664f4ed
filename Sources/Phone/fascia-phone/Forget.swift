import ArgumentParser
import FasciaTrust

struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forget a paired car.",
        discussion: "From then on the car is refused until it is paired again. Takes its name, or the beginning (8 digits or more) of its fingerprint."
    )

    @Argument(help: ArgumentHelp("The car's name or fingerprint.", valueName: "car"))
    var car: String

    @OptionGroup var stateOptions: StateOptions

    func run() throws {
        for peer in try TrustStore(stateOptions.open()).forget(car) { print("Forgot “\(peer.name)” (\(peer.fingerprint.short)).") }
    }
}
