import FasciaLink
import FasciaTLS

/// What a race is about. The same for all its attempts.
struct DialPlan: Sendable {
    let addresses: [DialAddress]
    let pace: DialPace
    /// The flight may be made ready, and leave, before its connection stands: there is nothing to lose by that.
    let draft: FlightDraft?
    var isEager: Bool { draft != nil }
    let timeouts: CarrierTimeouts
    let makeEngine: @Sendable () throws(TLSError) -> TLSEngine
    let flight: @Sendable () -> FirstFlight
    let greaseSeed: UInt64?
    let nameOf: @Sendable (Fingerprint) -> String?
    let phases: @Sendable (ConnectPhase) -> Void
    let outcome: OneShot<LinkSession>
}
