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

    /// - Parameter tickets: what is made of session tickets; less than all only for measurements.
    public init(
        identity: Identity, trust: TrustStore, log: Logger, timeouts: CarrierTimeouts = CarrierTimeouts(), tickets: TicketCache.Use = .earlyData
    ) throws(CarrierError) {
        do throws(TLSError) {
            context = try TLSContext(.client, identity: identity, tickets: TicketCache(use: tickets))
        } catch { throw .tls(error) }
        MultiThreadedEventLoopGroup.singleton.next().execute {} // starts its threads now and not on the way of the first connection
        self.identity = identity
        self.trust = trust
        self.timeouts = timeouts
        self.log = log
    }

    /// Connects to a paired head unit.
    /// - Parameters:
    ///   - addresses: where it may be; all are tried.
    ///   - expecting: the head unit's key; `nil` takes any paired one, at the price of a full TLS handshake.
    ///   - pace: how often.
    ///   - greaseSeed: for the unknown frames and messages sent now and then (spec 14.2); `nil` sends none.
    ///   - flight: what to say, asked once for each TLS connection when it can be sent, so that it is the newest and a resume token is
    ///     not spent before. Called on an event loop: it must be quick.
    ///   - phases: told each step as it is reached, on another thread.
    nonisolated(nonsending) public func connect(
        to addresses: [CarrierAddress], expecting: Fingerprint? = nil, pace: DialPace = .patient, greaseSeed: UInt64? = .random(in: 0 ... .max),
        flight: @escaping @Sendable () -> FirstFlight, phases: @escaping @Sendable (ConnectPhase) -> Void = { _ in }
    ) async throws(CarrierError) -> LinkSession {
        try await begin(to: addresses, expecting: expecting, pace: pace, greaseSeed: greaseSeed, flight: flight, phases: phases).session()
    }

    /// As ``connect(to:expecting:pace:greaseSeed:flight:phases:)``, but the first SYN is on its way when it returns, as soon as an event
    /// loop has woken up: on the way of a first frame a task that has to be scheduled before is too late.
    public func begin(
        to addresses: [CarrierAddress], expecting: Fingerprint? = nil, pace: DialPace = .patient, greaseSeed: UInt64? = .random(in: 0 ... .max),
        flight: @escaping @Sendable () -> FirstFlight, phases: @escaping @Sendable (ConnectPhase) -> Void = { _ in }
    ) throws(CarrierError) -> PendingLink {
        let pending = try prepare(to: addresses, expecting: expecting, pace: pace, greaseSeed: greaseSeed, flight: flight, phases: phases)
        pending.start()
        return pending
    }

    /// As ``begin(to:expecting:pace:greaseSeed:flight:phases:)``, but nothing is sent before ``PendingLink/start()``.
    /// - Parameters:
    ///   - session: the connection it is to take the place of when that is lost: everything happens on its event loop.
    ///   - draft: the first address gets the flight as soon as it can be sent, made ready before if it is what the draft said. Nil: the path
    ///     is proven before the flight is asked for.
    public func prepare(
        to addresses: [CarrierAddress], expecting: Fingerprint? = nil, pace: DialPace = .patient, greaseSeed: UInt64? = .random(in: 0 ... .max),
        beside session: LinkSession? = nil, draft: FlightDraft? = nil, flight: @escaping @Sendable () -> FirstFlight, phases: @escaping @Sendable (ConnectPhase) -> Void = { _ in }
    ) throws(CarrierError) -> PendingLink {
        if let expecting, !trust.admits(expecting, log: log) {
            throw CarrierError(.notPaired, .local, "the head unit \(expecting.short)… is not paired; run: fascia-phone pair")
        }
        let (context, trust, log) = (context, trust, log)
        let makeEngine = { @Sendable () throws(TLSError) -> TLSEngine in
            try TLSEngine(context, protocols: [.link], expecting: expecting) { proto, fingerprint in
                proto == .link && (expecting == nil || fingerprint == expecting) && trust.admits(fingerprint, log: log)
            }
        }
        let plan = DialPlan(
            addresses: addresses.map(DialAddress.init), pace: pace, draft: draft, timeouts: timeouts, makeEngine: makeEngine, flight: flight,
            greaseSeed: greaseSeed, nameOf: { trust.peer($0)?.name }, phases: phases, outcome: OneShot())
        return PendingLink(plan, on: session?.loop ?? MultiThreadedEventLoopGroup.singleton.next()) { [weak self] in self?.note($0.remote) }
    }

    /// Connects to one address with a Hello and nothing behind it.
    public func connect(
        to address: CarrierAddress, expecting: Fingerprint? = nil, hello: Hello, greaseSeed: UInt64? = .random(in: 0 ... .max),
        phases: @escaping @Sendable (ConnectPhase) -> Void = { _ in }
    ) async throws(CarrierError) -> LinkSession {
        try await connect(to: [address], expecting: expecting, greaseSeed: greaseSeed, flight: { FirstFlight(hello: hello) }, phases: phases)
    }

    /// Pairs with a head unit that shows a code, and stores it.
    /// - Parameters:
    ///   - code: asked for once the head unit is ready to pair.
    ///   - name: what the head unit will call this phone.
    public func pair(with address: CarrierAddress, code: @escaping @Sendable () async -> String, name: String) async throws(CarrierError) -> PairedPeer {
        let dial = Dial<PairingLink>(address, timeouts)
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
