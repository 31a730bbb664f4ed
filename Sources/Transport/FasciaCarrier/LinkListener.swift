import FasciaLink
import FasciaPairing
import FasciaTLS
import FasciaTrust
import FasciaWire
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The head unit's side: accepts connections of paired phones, and pairs. May be used from any thread.
public final class LinkListener: Sendable {
    /// Connections that have not shown what they are worth: not through TLS, or, to pair, without a PairStart. One more,
    /// and the oldest of them goes.
    public static let maximumHalfOpen = 32

    /// Connections of one phone that are through TLS and have no Welcome. One more, and the oldest of them goes: a paired phone gone bad
    /// cannot pile them up, and keeps nobody else out.
    public static let maximumUndecided = 8

    /// All events, for one consumer.
    public let events: AsyncStream<ListenerEvent>
    private let sink: AsyncStream<ListenerEvent>.Continuation
    private let deliver: (@Sendable (ListenerEvent) -> Void)?

    let identity: Identity
    let trust: TrustStore
    let log: Logger
    let greaseSeed: UInt64?
    let channels: @Sendable (ChannelID) -> Bool
    private let context: TLSContext
    private let timeouts: CarrierTimeouts
    private let state: Mutex<State>
    /// For the listening socket and all connections: there is one phone, and it need not wait for another thread to wake.
    private let loop: any EventLoop
    private let reserve: EngineReserve

    private struct State {
        var pairing: PairingPolicy?
        var isPairing = false
        var server: (any Channel)?
        var isStopped = false
        /// In the order they came.
        var connections: [Connection] = []
    }

    private struct Connection {
        let channel: any Channel
        var isHalfOpen = true
        /// Whose it is, from the end of TLS until there is a session or a refusal.
        var undecided: Fingerprint?
    }

    /// - Parameters:
    ///   - pairing: on what conditions phones are paired; `nil`: not now.
    ///   - greaseSeed: for the unknown frames and messages sent now and then (spec 14.2); `nil` sends none.
    ///   - channels: which may be opened; what phones send on others before they know is not kept.
    ///   - deliver: gets the events on an event loop, in order, in place of ``events``: who waits for a stream on an actor is woken through
    ///     another thread, twice the way.
    public init(
        identity: Identity, trust: TrustStore, pairing: PairingPolicy?, log: Logger, timeouts: CarrierTimeouts = CarrierTimeouts(),
        greaseSeed: UInt64? = .random(in: 0 ... .max), channels: @escaping @Sendable (ChannelID) -> Bool = { _ in true },
        deliver: (@Sendable (ListenerEvent) -> Void)? = nil
    ) throws(CarrierError) {
        do throws(TLSError) {
            context = try TLSContext(.server, identity: identity)
        } catch { throw .tls(error) }
        self.identity = identity
        self.trust = trust
        self.log = log
        self.timeouts = timeouts
        self.greaseSeed = greaseSeed
        self.channels = channels
        state = Mutex(State(pairing: pairing))
        loop = MultiThreadedEventLoopGroup.singleton.next()
        reserve = EngineReserve(loop)
        self.deliver = deliver
        (events, sink) = AsyncStream.makeStream()
    }

    func tell(_ event: ListenerEvent) {
        if let deliver { deliver(event) } else { sink.yield(event) }
    }

    /// Replaces the pairing conditions, for connections from now on.
    public func update(pairing: PairingPolicy?) { state.withLock { $0.pairing = pairing } }

    /// Begins to accept connections.
    /// - Parameters:
    ///   - host: numeric address or name; `::` takes IPv6 and IPv4.
    ///   - port: 0 takes a free one.
    /// - Returns: the port.
    public func start(host: String, port: Int) async throws(CarrierError) -> Int {
        let bootstrap = ChannelSetup.server(ServerBootstrap(group: loop))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
            }
        do {
            let server = try await bootstrap.bind(host: host, port: port).get()
            let isStopped = state.withLock { state in
                state.server = server
                return state.isStopped
            }
            if isStopped { server.close(promise: nil) }
            return server.localAddress?.port ?? port
        } catch {
            throw .listening(error, at: CarrierAddress(host: host, port: port))
        }
    }

    /// `true`: all connections go silent in both directions, new ones are not answered. `false`: new ones are answered
    /// again; the old ones stay silent.
    public func setCut(_ isCut: Bool) {
        let (server, channels) = state.withLock { ($0.server, isCut ? $0.connections.map(\.channel) : []) }
        server?.setOption(.autoRead, value: !isCut).whenFailure { _ in } // fails when stopped: nothing is accepted then
        for channel in channels {
            channel.eventLoop.execute { CutHandler.cut(channel) }
        }
    }

    /// Breaks off all connections: the phones' kernels see a reset and not an end.
    public func reset() {
        for channel in state.withLock({ $0.connections.map(\.channel) }) {
            channel.eventLoop.execute { CutHandler.reset(channel) }
        }
    }

    /// Stops listening and drops what is left of connections. Close sessions before, if the phones should know why.
    public func stop() {
        let (server, channels) = state.withLock { state -> ((any Channel)?, [any Channel]) in
            state.isStopped = true
            return (state.server, state.connections.filter(\.isHalfOpen).map(\.channel))
        }
        server?.close(promise: nil)
        for channel in channels { channel.close(promise: nil) }
        sink.finish()
    }

    // MARK: - Connections

    private func makeEngine() throws(TLSError) -> TLSEngine {
        try TLSEngine(context, protocols: [.link, .pairing]) { [trust, log] proto, fingerprint in
            proto == .pairing || trust.admits(fingerprint, log: log)
        }
    }

    private func accept(_ channel: any Channel) throws {
        let address = CarrierAddress(channel.remoteAddress) ?? CarrierAddress(host: "unknown", port: 0)
        let engine = try reserve.take { try self.makeEngine() }
        let oldest = state.withLock { state -> (any Channel)? in
            state.connections.append(Connection(channel: channel))
            guard state.connections.count(where: \.isHalfOpen) > Self.maximumHalfOpen, let oldest = state.connections.firstIndex(where: \.isHalfOpen)
            else { return nil }
            state.connections[oldest].isHalfOpen = false // it needs a moment to close: the next newcomer turns out another one
            return state.connections[oldest].channel
        }
        oldest?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { $0.connections.removeAll { $0.channel === channel } }
        }
        let connection = InboundConnection(self, channel, address)
        try ChannelSetup.install(on: channel, engine: engine, owner: connection, handshakeTimeout: timeouts.handshake)
        tell(.phase(ConnectPhase(kind: .tcp, at: .current, address: address), address))
    }

    /// It is no longer one of those that have to go for newcomers.
    func admitted(_ channel: any Channel) {
        state.withLock { state in
            guard let index = state.connections.firstIndex(where: { $0.channel === channel }) else { return }
            state.connections[index].isHalfOpen = false
        }
    }

    /// A phone is through TLS and will say Hello.
    func secured(_ channel: any Channel, _ peer: Fingerprint) {
        let oldest = state.withLock { state -> (any Channel)? in
            guard let index = state.connections.firstIndex(where: { $0.channel === channel }) else { return nil }
            state.connections[index].isHalfOpen = false
            state.connections[index].undecided = peer
            guard state.connections.count(where: { $0.undecided == peer }) > Self.maximumUndecided,
                  let oldest = state.connections.firstIndex(where: { $0.undecided == peer })
            else { return nil }
            state.connections[oldest].undecided = nil // it needs a moment to close: the next one turns out another one
            return state.connections[oldest].channel
        }
        oldest?.close(promise: nil)
    }

    /// It has a session, or an answer.
    func decided(_ channel: any Channel) {
        state.withLock { state in
            guard let index = state.connections.firstIndex(where: { $0.channel === channel }) else { return }
            state.connections[index].undecided = nil
        }
    }

    enum PairingStart {
        case allowed(PairingCode, PairingPolicy)
        case refused(CloseCode, String)
    }

    /// The conditions a phone may begin to pair on now, or why it may not.
    func pairingOffer() -> PairingStart {
        state.withLock { state in
            guard let policy = state.pairing, let code = policy.code else { return .refused(.pairingClosed, "it takes no new phones") }
            return .allowed(code, policy)
        }
    }

    /// One phone at a time, from its PairStart on: who only connects keeps nobody out. After `allowed` comes ``endPairing()``.
    func beginPairing() -> PairingStart {
        let offer = pairingOffer()
        guard case .allowed = offer else { return offer }
        return state.withLock { state in
            if state.isPairing { return .refused(.busy, "another phone is pairing") }
            state.isPairing = true
            return offer
        }
    }

    func endPairing() { state.withLock { $0.isPairing = false } }
}
