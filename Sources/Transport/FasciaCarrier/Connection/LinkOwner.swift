import FasciaLink
import FasciaTLS
import FasciaWire

/// Who set up a connection and wants to know what becomes of it. All calls are made on its event loop.
///
///     secured -> setup -> [helloReceived] -> established     (session)
///     setup -> secured -> established                        (session with early data, phone)
///     secured -> setup -> pairing                            (pairing: the owner reads the core's events from then on)
///        \________________\______ failed            (once, instead of the last step)
protocol LinkOwner: AnyObject {
    /// The TLS handshake is done, or early data was accepted. `false` closes the connection without a word (the owner has dealt with it).
    func secured(_ tls: TLSEstablished) -> Bool
    /// What to speak. `nil` closes the connection, or, before `secured`, sends no early data.
    func setup() -> LinkSetup?
    func helloReceived(_ hello: Hello, on core: LinkCore)
    func established(_ welcome: Welcome, on core: LinkCore)
    /// Instead of `established`: somebody has the session already.
    func taken()
    /// - Parameter exporter: the TLS exporter value that binds the pairing to this connection.
    func pairing(on core: LinkCore, exporter: [UInt8])
    func failed(_ error: CarrierError)
    /// The channel is gone.
    func ended()
}

extension LinkOwner {
    func taken() {}
}

/// What a link begins with.
struct LinkSetup {
    var configuration: LinkConfiguration
    /// Go behind Hello.
    var messages: [FirstFlight.Message] = []

    func machine() -> LinkMachine {
        var machine = LinkMachine(configuration: configuration, now: .current)
        // What does not fit or is not allowed is as good as lost on the way: Welcome tells what counts.
        for message in messages { _ = machine.send(channel: message.channel, type: message.type, body: message.body, now: .current) }
        return machine
    }
}
