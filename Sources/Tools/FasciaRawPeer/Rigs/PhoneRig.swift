import FasciaPairing
import FasciaProcesses
import FasciaTLS
import FasciaWire
import FixtureSupport
import Foundation

/// A live phone that connects again and again, examined by what a head unit can do to it.
package final class PhoneRig: @unchecked Sendable { // used by one case at a time
    package let code: PairingCode
    package let fixtures: [Fixture]
    /// PEM of this head unit's key.
    package let identity: [UInt8]
    private let listener: ListeningSocket
    private var last: [Peer] = []
    /// How long the phone may take to come (again).
    package static let patience = Duration.seconds(30)

    package init(address: Endpoint, code: PairingCode, fixtures: [Fixture]) throws {
        (self.code, self.fixtures) = (code, fixtures)
        listener = try ListeningSocket(address)
        identity = try Identity.generate().pem()
    }

    // MARK: Connections

    package func socket(within limit: Duration = PhoneRig.patience) throws -> PlainSocket {
        guard let socket = listener.accept(within: limit) else { throw Deviation("the phone did not connect within \(limit)") }
        return socket
    }

    /// Whether the phone tries another connection in that time.
    package func isDialled(within limit: Duration) -> Bool { listener.accept(within: limit) != nil }

    /// Connections that came before now, whatever has become of them since.
    package func waiting() -> [PlainSocket] {
        var sockets: [PlainSocket] = []
        while let socket = listener.accept(within: .milliseconds(1)) { sockets.append(socket) }
        return sockets
    }

    package func tls(within limit: Duration = PhoneRig.patience, _ edit: (inout TLSOffer) -> Void = { _ in }) throws -> SecureSocket {
        var offer = TLSOffer(identity: identity)
        edit(&offer)
        return try .accept(try socket(within: limit), offer)
    }

    /// The next connection that is for a session. Racing connections that are given up are passed over.
    package func raw(within limit: Duration = PhoneRig.patience, _ edit: (inout TLSOffer) -> Void = { _ in }) throws -> Peer {
        let deadline = ContinuousClock.now + limit
        var trouble = "it did not connect"
        while ContinuousClock.now < deadline {
            do {
                let secure = try tls(within: limit, edit)
                guard secure.agreedProtocol == ALPN.link else {
                    trouble = "it wants to pair although it is paired"
                    continue
                }
                let peer = Peer(secure)
                peer.holdCredit()
                last.append(peer)
                return peer
            } catch let end as PlainSocket.Ended {
                trouble = "its connections end before TLS (\(end))"
            }
        }
        throw Deviation("no connection of the phone: \(trouble)")
    }

    /// A connection whose Hello has come.
    package func greeted(within limit: Duration = PhoneRig.patience, _ edit: (inout TLSOffer) -> Void = { _ in }) throws -> (peer: Peer, hello: Hello) {
        let peer = try raw(within: limit, edit)
        return (peer, try peer.expect(Hello.self, MessageType.hello))
    }

    /// A Welcome without fault to a Hello: a new session, a screen of 800 x 480; the slowest liveness, so that a machine that stands still is not taken
    /// for a link that does.
    package static func welcome(_ hello: Hello, _ edit: (inout Welcome) -> Void = { _ in }) -> Welcome {
        var welcome = Welcome()
        welcome.version = 1
        welcome.name = "Conformance"
        welcome.software = "fascia conform"
        welcome.capabilities = [1, 2, 3]
        welcome.sessionID = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
        welcome.resumeToken = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
        welcome.channels = hello.channels.filter { [1, 2, 4, 16].contains($0) }
        welcome.inputDevices = [.touch]
        (welcome.liveness.probeIntervalMs, welcome.liveness.suspectAfterMs, welcome.liveness.deadAfterMs) = (10_000, 20_000, 60_000)
        var screen = Screen()
        (screen.channel, screen.width, screen.height, screen.scale) = (16, 800, 480, 2)
        welcome.screens = [screen]
        edit(&welcome)
        return welcome
    }

    /// Welcome, and what the answer means for what the phone has sent already.
    package func send(_ welcome: Welcome, to hello: Hello, on peer: Peer) throws {
        try peer.message(0, MessageType.welcome, welcome)
        if hello.resume.speculative, !welcome.hasResumed { peer.awaitProceed() }
    }

    /// A connection past Welcome.
    package func session(_ edit: (inout Welcome) -> Void = { _ in }, tls: (inout TLSOffer) -> Void = { _ in }) throws -> (peer: Peer, hello: Hello, welcome: Welcome) {
        let (peer, hello) = try greeted(tls)
        let welcome = Self.welcome(hello, edit)
        try send(welcome, to: hello, on: peer)
        return (peer, hello, welcome)
    }

    package func settle() {
        for peer in last where !peer.isOver {
            peer.goodbye()
            try? peer.expectEnd(within: .seconds(1))
        }
        last = []
    }

    // MARK: Pairing

    /// Waits until the phone pairs, and lets it. Connections for a session are turned away until then.
    /// - Parameter spoil: changes what the head unit sends: message type and body.
    @discardableResult
    package func pair(spoil: (UInt16, [UInt8]) -> [UInt8] = { $1 }) throws -> Peer {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            guard let secure = try? tls({ $0.protocols = [ALPN.pairing] }), secure.agreedProtocol == ALPN.pairing else { continue }
            return try pair(Peer(secure), spoil)
        }
        throw Deviation("the phone did not pair within \(Self.patience); start it unpaired, with --connect and --code")
    }

    private func pair(_ peer: Peer, _ spoil: (UInt16, [UInt8]) -> [UInt8]) throws -> Peer {
        last.append(peer)
        guard let phone = peer.secure.peer else { throw Deviation("the phone presented no certificate") }
        let binding = PairingBinding(phone: phone.bytes, headUnit: try Identity(pem: identity).fingerprint.bytes,
                                     exporter: peer.secure.export(label: PairingBinding.exporterLabel, length: PairingBinding.exporterLength))
        var exchange = PairingExchange(.headUnit, code: code, name: "Conformance", binding: binding)
        let start = try peer.expect(MessageType.pairStart)
        guard case .send(let reply) = exchange.receive(MessageType.pairStart, start) else { throw Deviation("PairStart is malformed") }
        try peer.message(0, reply.type, spoil(reply.type, reply.body))
        let confirm = try peer.expect(MessageType.pairConfirm)
        guard case .finished(_, let last?) = exchange.receive(MessageType.pairConfirm, confirm) else { throw Deviation("the phone's confirmation is wrong; was it given the code \(code.digits)?") }
        try peer.message(0, last.type, last.body)
        return peer
    }
}
