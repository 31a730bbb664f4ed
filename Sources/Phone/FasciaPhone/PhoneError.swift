import FasciaCarrier

/// Why the phone cannot go on, in words that say what to do.
public struct PhoneError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable {
        let name: String
        /// Not paired, and nobody to ask for the code.
        public static let noCode = Code(name: "no-code")
        /// Pairing did not succeed.
        public static let pairingFailed = Code(name: "pairing-failed")
        /// The system has no descriptors for sound.
        public static let noSound = Code(name: "no-sound")
        /// No car of that name showed up in time.
        public static let carNotFound = Code(name: "car-not-found")
    }

    public let code: Code
    public let description: String
    public let cause: (any Error)?

    init(_ code: Code, _ description: String, cause: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.cause = cause
    }

    static func noCode(_ address: CarrierAddress, _ reason: CarrierError?) -> PhoneError {
        let why = reason.map { "\($0)" } ?? "this phone and the car at \(address) are not paired"
        return PhoneError(.noCode, "\(why). Give the code the head unit shows with --code, or run on a terminal to be asked for it", cause: reason)
    }

    static func pairingFailed(_ error: CarrierError) -> PhoneError {
        let wayOut: String = switch error.code {
        case .wrongCode: ". The head unit shows the code and prints it when it starts; more wrong ones lock pairing for a while"
        case .pairingUnavailable: ". A head unit takes new phones while none is connected: end the other one first"
        default: ""
        }
        return PhoneError(.pairingFailed, "pairing failed: \(error)\(wayOut)", cause: error)
    }

    /// - Parameter others: names of the cars that were found.
    public static func carNotFound(_ name: String, seconds: Int, others: Set<String> = []) -> PhoneError {
        let found = others.sorted().map { "“\($0)”" }.joined(separator: ", ")
        return PhoneError(.carNotFound, "no car named “\(name)” was found in \(seconds) s. "
            + (others.isEmpty ? "Is a head unit running on the same network, without --no-discovery?" : "There is \(found)"))
    }
}
