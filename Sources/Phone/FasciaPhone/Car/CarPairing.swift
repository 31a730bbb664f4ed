import FasciaCarrier
import FasciaEvents

/// Pairs with a car when the connection says that it must be.
@MainActor
struct CarPairing {
    let dialer: LinkDialer
    let name: String
    let code: (@Sendable () async -> String?)?
    let events: EventLog

    /// - Throws: `PhoneError` when there is no code or it is wrong: trying again by itself would only lock the car.
    ///   `CarrierError.busy` when another phone is served: worth another try.
    @discardableResult
    func pair(at address: CarrierAddress, because reason: CarrierError? = nil) async throws -> PairedPeer {
        guard let code else { throw PhoneError.noCode(address, reason) }
        guard let digits = await code() else { throw PhoneError.noCode(address, reason) }
        do throws(CarrierError) {
            let peer = try await dialer.pair(with: address, code: { digits }, name: name)
            events.emit("paired", ["car": .string(peer.name), "address": .string(address.description), "fingerprint": .string(peer.fingerprint.hex)])
            return peer
        } catch {
            if error.code == .busy { throw error }
            events.emit("pairing-failed", ["address": .string(address.description), "code": .string("\(error.code)"), "error": .string(error.description)])
            throw PhoneError.pairingFailed(error)
        }
    }
}
