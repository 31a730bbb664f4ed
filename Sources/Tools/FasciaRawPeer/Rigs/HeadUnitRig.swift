import FasciaPairing
import FasciaProcesses
import FasciaTLS
import FasciaWire
import FixtureSupport
import Foundation

/// A live head unit, examined by what a phone can do to it.
package final class HeadUnitRig: @unchecked Sendable { // used by one case at a time
    package let address: Endpoint
    package let code: PairingCode
    package let fixtures: [Fixture]
    /// PEM of this phone's key.
    package let identity: [UInt8]
    /// The head unit's key, once paired.
    package private(set) var peer: Fingerprint?
    private var last: [Peer] = []

    package init(address: Endpoint, code: PairingCode, fixtures: [Fixture]) throws {
        (self.address, self.code, self.fixtures) = (address, code, fixtures)
        identity = try Identity.generate().pem()
    }

    // MARK: Connections

    package func socket() throws -> PlainSocket { try .connect(to: address, within: Peer.patience) }

    package func tls(_ edit: (inout TLSOffer) -> Void = { _ in }) throws -> SecureSocket {
        var offer = TLSOffer(identity: identity)
        edit(&offer)
        return try .connect(try socket(), offer)
    }

    /// Right after TLS.
    package func raw(_ edit: (inout TLSOffer) -> Void = { _ in }) throws -> Peer {
        let peer = Peer(try tls(edit))
        last.append(peer)
        return peer
    }

    /// A Hello without fault: no resume, all channels and capabilities.
    package static func hello(_ edit: (inout Hello) -> Void = { _ in }) -> Hello {
        var hello = Hello()
        hello.versionMin = 1
        hello.versionMax = 1
        hello.name = "Conformance"
        hello.software = "fascia conform"
        hello.capabilities = [1, 2, 3]
        hello.channels = [1, 2, 4, 16]
        edit(&hello)
        return hello
    }

    /// A connection past Welcome.
    package func session(_ edit: (inout Hello) -> Void = { _ in }) throws -> (peer: Peer, welcome: Welcome) {
        let peer = try raw()
        try peer.message(0, MessageType.hello, Self.hello(edit))
        return (peer, try peer.expect(Welcome.self, MessageType.welcome))
    }

    /// Ends what a case left open, so that the next one finds a head unit nobody is connected to.
    package func settle() {
        for peer in last where !peer.isOver {
            peer.goodbye()
            try? peer.expectEnd()
        }
        last = []
    }

    // MARK: Pairing

    package struct Pairing {
        package let peer: Peer
        package var exchange: PairingExchange
        package let start: PairingExchange.Message
    }

    /// Up to and without PairStart.
    package func pairing(code: PairingCode? = nil, identity other: [UInt8]? = nil) throws -> Pairing {
        let pem = other ?? identity
        let connection = try raw {
            $0.protocols = [ALPN.pairing]
            $0.identity = pem
        }
        guard let car = connection.secure.peer else { throw Deviation("the head unit presented no certificate") }
        let own = try Identity(pem: pem).fingerprint
        let binding = PairingBinding(phone: own.bytes, headUnit: car.bytes, exporter: connection.secure.export(label: PairingBinding.exporterLabel, length: PairingBinding.exporterLength))
        var exchange = PairingExchange(.phone, code: code ?? self.code, name: "Conformance", binding: binding)
        guard case .send(let start) = exchange.start() else { throw ToolError("OpenSSL cannot pair") }
        return Pairing(peer: connection, exchange: exchange, start: start)
    }

    /// Tries what needs a head unit that pairs. That one takes no phones while it has one, or pairs with another, and may need a moment to
    /// see that they are gone: what is refused for that alone is tried again.
    package func whenPairingIsOpen<Value>(_ body: () throws -> Value) throws -> Value {
        let deadline = ContinuousClock.now + Peer.patience
        while true {
            do { return try body() } catch let refusal as Deviation where [.pairingClosed, .busy].contains(refusal.close) && ContinuousClock.now < deadline {
                usleep(20_000)
            }
        }
    }

    /// Up to and with PairReply.
    package func begun(code: PairingCode? = nil, identity other: [UInt8]? = nil) throws -> (pairing: Pairing, reply: [UInt8]) {
        try whenPairingIsOpen {
            let pairing = try pairing(code: code, identity: other)
            try pairing.peer.message(0, pairing.start.type, pairing.start.body)
            return (pairing, try pairing.peer.expect(MessageType.pairReply))
        }
    }

    /// The whole exchange, CLOSE PAIRED included.
    @discardableResult
    package func pair(code: PairingCode? = nil, identity other: [UInt8]? = nil) throws -> Peer {
        var (pairing, reply) = try begun(code: code, identity: other)
        let connection = pairing.peer
        guard case .send(let confirm) = pairing.exchange.receive(MessageType.pairReply, reply) else { throw Deviation("the head unit's confirmation does not fit the code \(self.code.digits)") }
        try connection.message(0, confirm.type, confirm.body)
        _ = try connection.expect(MessageType.pairDone)
        if other == nil { peer = connection.secure.peer }
        connection.goodbye(.paired)
        return connection
    }
}
