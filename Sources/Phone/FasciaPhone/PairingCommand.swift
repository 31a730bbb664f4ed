import FasciaCarrier
import FasciaEvents
import FasciaTLS
import FasciaTrust
import Logging

/// `fascia-phone pair`: pairing alone, without a session.
public enum PairingCommand {
    /// - Throws: `PhoneError`, `CarrierError` or `StateError`, each saying what to do.
    @MainActor
    public static func pair(at address: CarrierAddress, name: String, code: (@Sendable () async -> String?)?, state: StateDirectory,
                            events: EventLog, log: Logger) async throws -> PairedPeer {
        let dialer = try LinkDialer(identity: try Identity.loadOrCreate(in: state), trust: try TrustStore(state), log: log)
        return try await CarPairing(dialer: dialer, name: name, code: code, events: events).pair(at: address)
    }
}
