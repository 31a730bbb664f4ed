import FasciaLink
import FasciaPairing
import FasciaTLS
import FasciaTrust
import FasciaWire
import Logging
import NIOCore
import NIOPosix

/// The phone's side: connects to head units and pairs with them. May be used from any thread, also for several attempts
/// at a time.
public final class LinkDialer: Sendable {
    private let identity: Identity
    private let trust: TrustStore
    private let context: TLSContext
    private let timeouts: CarrierTimeouts
    private let log: Logger

    public init(identity: Identity, trust: TrustStore, log: Logger, timeouts: CarrierTimeouts = CarrierTimeouts()) throws(CarrierError) {
        do throws(TLSError) {
            context = try TLSContext(.client, identity: identity)
        } catch { throw .tls(error) }
        MultiThreadedEventLoopGroup.singleton.next().execute {} // starts its threads now and not on the way of the first connection
        self.identity = identity
        self.trust = trust
        self.timeouts = timeouts
        self.log = log
    }

    /// Connects to a paired head unit.
    /// - Parameters:
    ///   - expecting: the head unit's key; `nil` takes any paired one, at the price of a full TLS handshake.
    ///   - hello: what to say; versions, limits, liveness and channels are filled in when empty.
    ///   - greaseSeed: for the unknown frames and messages sent now and then (spec 14.2); `nil` sends none.
    ///   - phases: told each step as it is reached, on another thread.
    public func connect(
        to address: CarrierAddress, expecting: Fingerprint? = nil, hello: Hello, greaseSeed: UInt64? = .random(in: 0 ... .max),
        phases: @escaping @Sendable (ConnectPhase) -> Void = { _ in }
    ) async throws(CarrierError) -> LinkSession {
        if let expecting, !trust.admits(expecting, log: log) {
            throw CarrierError(.notPaired, .local, "the head unit \(expecting.short)… is not paired; run: fascia-phone pair")
        }
        let dial = Dial<LinkSession>(address, timeouts, phases: phases)
        let (context, trust, log) = (context, trust, log)
        dial.start {
            try TLSEngine(context, protocols: [.link], expecting: expecting) { proto, fingerprint in
                proto == .link && (expecting == nil || fingerprint == expecting) && trust.admits(fingerprint, log: log)
            }
        } _: {
            SessionDial(dial, LinkConfiguration(role: .phone(hello), greaseSeed: greaseSeed), hello) { trust.peer($0)?.name }
        }
        let session = try await dial.value()
        note(session.remote)
        return session
    }

    /// Pairs with a head unit that shows a code, and stores it.
    /// - Parameters:
    ///   - code: asked for once the head unit is ready to pair.
    ///   - name: what the head unit will call this phone.
    public func pair(with address: CarrierAddress, code: @escaping @Sendable () async -> String, name: String) async throws(CarrierError) -> PairedPeer {
        let dial = Dial<PairingLink>(address, timeouts) { _ in }
        let context = context
        dial.start {
            try TLSEngine(context, protocols: [.pairing]) { proto, _ in proto == .pairing }
        } _: {
            PairingDial(dial)
        }
        let link = try await dial.value()
        let peer = try await PhonePairing(link: link, phone: identity.fingerprint, name: name).run(code: code)
        do throws(StateError) {
            try trust.add(TrustedPeer(name: peer, fingerprint: link.peer, lastAddress: address.description))
        } catch {
            link.core.close(.internalError, detail: "the phone cannot store the pairing")
            throw .state(error)
        }
        link.core.close(.paired, detail: "")
        context.tickets.forget(link.peer)
        return PairedPeer(name: peer, fingerprint: link.peer, address: address)
    }

    /// Where the head unit was reached, for the next start; not on the way of the first frame.
    private func note(_ peer: RemotePeer) {
        let (trust, log) = (trust, log)
        Task.detached(priority: .background) {
            do throws(StateError) {
                try trust.update(peer.fingerprint, lastAddress: peer.address.description)
            } catch { log.warning("\(error)") }
        }
    }
}

/// Owner of a session's connection until it is established.
final class SessionDial: LinkOwner {
    private let dial: Dial<LinkSession>
    private let configuration: LinkConfiguration
    private let hello: Hello
    private let nameOf: (Fingerprint) -> String?
    private var tls: TLSEstablished?

    init(_ dial: Dial<LinkSession>, _ configuration: LinkConfiguration, _ hello: Hello, nameOf: @escaping (Fingerprint) -> String?) {
        self.dial = dial
        self.configuration = configuration
        self.hello = hello
        self.nameOf = nameOf
    }

    func secured(_ tls: TLSEstablished) -> LinkConfiguration? {
        self.tls = tls
        dial.reached(.secured, isResumed: tls.isResumed)
        return configuration
    }

    func helloReceived(_: Hello, on _: LinkCore) {} // only a head unit gets one
    func pairing(on _: LinkCore, exporter _: [UInt8]) {}

    func established(_ welcome: Welcome, on core: LinkCore) {
        guard let tls else { return }
        dial.reached(.negotiated, isResumed: tls.isResumed)
        let peer = RemotePeer(name: nameOf(tls.peer) ?? welcome.name, fingerprint: tls.peer, address: dial.address)
        if !dial.outcome.set(.success(LinkSession(remote: peer, hello: hello, welcome: welcome, core: core))) {
            core.close(.goodbye, detail: "given up")
        }
    }

    func failed(_ error: CarrierError) { dial.outcome.set(.failure(error)) }

    func ended() { dial.outcome.set(.failure(CarrierError(.connectionLost, .network, "the connection to \(dial.address) ended before it was ready"))) }
}
