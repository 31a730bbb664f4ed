import FasciaLink
import FasciaTLS

/// What a race is about. The same for all its attempts.
struct DialPlan: Sendable {
    let addresses: [DialAddress]
    let pace: DialPace
    let timeouts: CarrierTimeouts
    let makeEngine: @Sendable () throws(TLSError) -> TLSEngine
    let flight: @Sendable () -> FirstFlight
    let greaseSeed: UInt64?
    let nameOf: @Sendable (Fingerprint) -> String?
    let phases: @Sendable (ConnectPhase) -> Void
    let outcome: OneShot<LinkSession>
}
