import FasciaCarrier

/// Why the phone cannot go on, in words that say what to do.
public struct PhoneError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable {
        let name: String
        /// Not paired, and nobody to ask for the code.
        public static let noCode = Code(name: "no-code")
        /// Pairing did not succeed.
        public static let pairingFailed = Code(name: "pairing-failed")
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

    static func pairingFailed(_ error: CarrierError) -> PhoneError { PhoneError(.pairingFailed, "pairing failed: \(error)", cause: error) }

    public static func carNotFound(_ name: String, seconds: Int) -> PhoneError {
        PhoneError(.carNotFound, "no car named “\(name)” was found in \(seconds) s. Is the head unit on the same network? fascia-phone cars lists those there are")
    }
}
