import FasciaLink
import FasciaPairing
import FasciaTLS
import FasciaWire

/// A connection on which the two ends may pair.
struct PairingLink: Sendable {
    let core: LinkCore
    let peer: Fingerprint
    let exporter: [UInt8]

    func send(_ message: PairingExchange.Message) -> Bool {
        core.send(channel: .control, type: message.type, body: message.body) == .queued
    }

    func binding(phone: Fingerprint, headUnit: Fingerprint) -> PairingBinding {
        PairingBinding(phone: phone.bytes, headUnit: headUnit.bytes, exporter: exporter)
    }
}

/// Owner of the phone's pairing connection until TLS is up.
final class PairingDial: LinkOwner {
    private let dial: Dial<PairingLink>
    private var peer: Fingerprint?

    init(_ dial: Dial<PairingLink>) { self.dial = dial }

    func secured(_ tls: TLSEstablished) -> Bool {
        peer = tls.peer
        return true
    }

    func setup() -> LinkSetup? {
        LinkSetup(configuration: LinkConfiguration(role: .phone(Hello()), mode: .pairing))
    }

    func helloReceived(_: Hello, on _: LinkCore) {}
    func established(_: Welcome, on _: LinkCore) {}

    func pairing(on core: LinkCore, exporter: [UInt8]) {
        guard let peer else { return }
        if !dial.outcome.set(.success(PairingLink(core: core, peer: peer, exporter: exporter))) { core.close(.goodbye, detail: "given up") }
    }

    func failed(_ error: CarrierError) { dial.outcome.set(.failure(error)) }

    func ended() { dial.outcome.set(.failure(CarrierError(.connectionLost, .network, "the connection to \(dial.address) ended before it was ready"))) }
}
