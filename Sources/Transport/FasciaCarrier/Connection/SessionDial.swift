import FasciaLink
import FasciaTLS
import FasciaWire
import NIOCore

/// Owner of a carrying connection of a race until it is established.
final class SessionDial: LinkOwner {
    private let plan: DialPlan
    private let address: CarrierAddress
    private let loop: any EventLoop
    weak var race: DialRace?
    weak var attempt: DialAttempt?
    private var tls: TLSEstablished?
    private var flight: FirstFlight?

    private let makeFlight: @Sendable () -> FirstFlight

    /// - Parameter flight: nil: the plan's, which is spent with that.
    init(_ plan: DialPlan, _ address: CarrierAddress, _ loop: any EventLoop, flight: (@Sendable () -> FirstFlight)? = nil) {
        makeFlight = flight ?? plan.flight
        self.plan = plan
        self.address = address
        self.loop = loop
    }

    func secured(_ tls: TLSEstablished) -> Bool {
        self.tls = tls
        plan.phases(ConnectPhase(kind: .secured, at: .current, isResumed: tls.isResumed, earlyData: tls.earlyData, address: address))
        return true
    }

    func setup() -> LinkSetup? {
        let flight = makeFlight()
        self.flight = flight
        return LinkSetup(configuration: LinkConfiguration(role: .phone(flight.hello), greaseSeed: plan.greaseSeed), messages: flight.messages)
    }

    func helloReceived(_: Hello, on _: LinkCore) {} // only a head unit gets one
    func pairing(on _: LinkCore, exporter _: [UInt8]) {}

    func established(_ welcome: Welcome, on core: LinkCore) {
        guard let tls, let flight else { return }
        plan.phases(ConnectPhase(kind: .negotiated, at: .current, isResumed: tls.isResumed, earlyData: tls.earlyData, address: address))
        let peer = RemotePeer(name: plan.nameOf(tls.peer) ?? welcome.name, fingerprint: tls.peer, address: address)
        let isCounted = !flight.messages.isEmpty && (!flight.hello.hasResume || welcome.hasResumed)
        let session = LinkSession(remote: peer, hello: flight.hello, welcome: welcome, speculationCounted: isCounted, core: core)
        guard let race, let attempt, race.won(attempt, session) else { return core.close(.superseded, detail: "another connection was quicker") }
    }

    func failed(_ error: CarrierError) {
        // An attempt that was dropped has no race any more: the end of its channel must not hide why it was dropped.
        if let attempt { attempt.race?.failed(attempt, error) }
    }

    func ended() { failed(CarrierError(.connectionLost, .network, "the connection to \(address) ended before it was ready")) }
}
