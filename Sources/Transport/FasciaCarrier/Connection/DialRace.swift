import FasciaLink
import FasciaTLS
import NIOCore
import NIOPosix

/// A phone's attempts to reach one head unit, until one of them has become a session. Used on one event loop only.
///
///     attempts --established--> spare, or, when nobody carries: carriers --Welcome--> won, everything else goes
///        ^                                                          |
///        +--- paced, while nobody carries or who does is silent <---+
final class DialRace {
    /// Established connections kept for the case that the carrying one stays silent.
    private static let spares = 2
    /// Silence after which the next connection is taken too, for paths with a short round trip, in nanoseconds. Doubled each time.
    private static let shortestPatience: UInt64 = 150_000_000

    private let plan: DialPlan
    private var addresses: [DialAddress]
    private let loop: any EventLoop
    private var connecting: [DialAttempt] = []
    private var spare: [DialAttempt] = []
    private var carriers: [DialAttempt] = []
    private var pacer: RepeatedTask?
    private var watch: Scheduled<Void>?
    private var patience = DialRace.shortestPatience
    private var lastError: CarrierError?
    private var isOver = false
    private var attempts = 0

    init(_ plan: DialPlan, _ loop: any EventLoop) {
        self.plan = plan
        addresses = plan.addresses
        self.loop = loop
    }

    /// More addresses, tried at once beside the others.
    func widen(_ more: [DialAddress]) {
        if isOver { return }
        for address in more where !addresses.contains(address) {
            addresses.append(address)
            attempt(address)
        }
    }

    func start() {
        attemptAll()
        guard let interval = plan.pace.interval else { return next() } // there may be no address
        let race = NIOLoopBound(self, eventLoop: loop)
        let pause = TimeAmount(interval)
        pacer = loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in race.value.attemptAll() }
    }

    // MARK: - Attempts

    /// One more attempt at every address, unless a connection is doing well.
    private func attemptAll() {
        if isOver || carriers.contains(where: { $0.isFresh && !$0.mayBeUnderWay }) { return }
        for address in addresses {
            let others = connecting.filter { $0.address == address }
            if others.count >= plan.pace.window { drop(others[0]) }
            // A name takes as long as it takes to be looked up.
            if address.numeric == nil, !others.isEmpty { continue }
            attempt(address)
        }
    }

    private func attempt(_ address: DialAddress) {
        // Only the very first may wait for the flight and put it into its SYN: it is asked for once, and of a race's later
        // attempts none should be spent before the path is there.
        let isFast = attempts == 0
        attempts += 1
        let attempt = DialAttempt(address, self, isFast: isFast)
        connecting.append(attempt)
        let bound = NIOLoopBound(attempt, eventLoop: loop)
        let bootstrap = ChannelSetup.client(ClientBootstrap(group: loop), fastOpen: isFast)
            .connectTimeout(plan.timeouts.connect)
            .channelInitializer { channel in
                bound.value.channel = channel
                return channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(DialEntry(bound.value)) }
            }
        let connected = address.numeric.map { bootstrap.connect(to: $0) } ?? bootstrap.connect(host: address.address.host, port: address.address.port)
        connected.hop(to: loop).whenFailure { error in
            let attempt = bound.value
            attempt.race?.failed(attempt, .connection(error, to: attempt.address.address))
        }
    }

    /// TCP stands.
    func established(_ attempt: DialAttempt) {
        connecting.removeAll { $0 === attempt }
        if isOver { return attempt.close() }
        let fresh = carriers.filter(\.isFresh)
        if fresh.isEmpty {
            carry(attempt)
        } else if let first = fresh.first, fresh.count == 1, first.mayBeUnderWay, let channel = first.channel {
            let bound = NIOLoopBound((self, attempt), eventLoop: loop)
            TransportOptions.isConnecting(channel).whenComplete { isConnecting in
                let (race, attempt) = bound.value
                race.settle(attempt, isFirstConnecting: (try? isConnecting.get()) ?? false)
            }
        } else {
            keep(attempt)
        }
    }

    /// With TCP Fast Open the first connection is taken before it stands; one that stands is better.
    private func settle(_ attempt: DialAttempt, isFirstConnecting: Bool) {
        if isOver { return attempt.close() }
        if isFirstConnecting { carry(attempt) } else { keep(attempt) }
    }

    private func keep(_ attempt: DialAttempt) {
        if spare.count < Self.spares {
            spare.append(attempt)
        } else {
            attempt.close()
        }
    }

    /// This connection gets TLS and the first flight.
    private func carry(_ attempt: DialAttempt) {
        guard let channel = attempt.channel else { return }
        let phase = ConnectPhase(kind: .tcp, at: .current, address: attempt.address.address)
        defer { plan.phases(phase) } // what is made of it must not hold up the first bytes
        attempt.isFresh = true
        attempt.lastHeard = .current
        carriers.append(attempt)
        do {
            let engine = try plan.makeEngine()
            let owner = SessionDial(plan, attempt.address.address, loop)
            owner.race = self
            owner.attempt = attempt
            try ChannelSetup.install(on: channel, engine: engine, owner: owner, handshakeTimeout: plan.timeouts.handshake)
        } catch {
            return failed(attempt, .connection(error))
        }
        schedule(in: max(patience, 3 * attempt.connectTime))
    }

    // MARK: - Silence

    private func schedule(in time: UInt64) {
        watch?.cancel()
        let race = NIOLoopBound(self, eventLoop: loop)
        watch = loop.scheduleTask(in: .nanoseconds(Int64(time))) { race.value.listen() }
    }

    /// A carrier that has said nothing for too long gets company; it may still win.
    private func listen() {
        guard !isOver, let newest = carriers.last, newest.isFresh else { return }
        let limit = max(patience, 3 * newest.connectTime)
        let silence = LinkInstant.current - min(.current, newest.lastHeard)
        if silence < limit { return schedule(in: limit - silence) }
        newest.isFresh = false
        patience = min(patience * 2, 5_000_000_000)
        next()
    }

    private func next() {
        if isOver || carriers.contains(where: \.isFresh) { return }
        while !spare.isEmpty {
            let attempt = spare.removeFirst()
            if attempt.channel?.isActive == true { return carry(attempt) }
        }
        guard plan.pace.interval == nil, connecting.isEmpty, carriers.isEmpty else { return }
        end(.failure(lastError ?? CarrierError(.unreachable, .network, "there is no address to connect to")))
    }

    // MARK: - End

    /// An attempt came to nothing. Racing goes on, unless it was an answer.
    func failed(_ attempt: DialAttempt, _ error: CarrierError) {
        if isOver || attempt.hasFailed { return }
        attempt.hasFailed = true // closing it will tell of it again
        if lastError?.isAnswer != true { lastError = error }
        // A link that closed itself has its CLOSE to send yet, and goes when that is done.
        drop(attempt, isClosing: error.code == .closed)
        if plan.pace.interval != nil, error.isAnswer {
            end(.failure(error))
        } else {
            next()
        }
    }

    /// - Returns: whether it is the first.
    func won(_ attempt: DialAttempt, _ session: LinkSession) -> Bool {
        carriers.removeAll { $0 === attempt }
        return end(.success(session))
    }

    func cancel() { end(.failure(CarrierError(.cancelled, .user, "connecting was given up"))) }

    @discardableResult
    private func end(_ result: Result<LinkSession, CarrierError>) -> Bool {
        if isOver { return false }
        isOver = true
        pacer?.cancel()
        watch?.cancel()
        let isFirst = plan.outcome.set(result)
        for attempt in connecting + spare + carriers { attempt.close() }
        (connecting, spare, carriers) = ([], [], [])
        return isFirst
    }

    private func drop(_ attempt: DialAttempt, isClosing: Bool = false) {
        connecting.removeAll { $0 === attempt }
        spare.removeAll { $0 === attempt }
        carriers.removeAll { $0 === attempt }
        if !isClosing { attempt.close() }
    }
}

extension CarrierError {
    /// Whether it comes from the head unit and not from the way to it.
    var isAnswer: Bool {
        switch code {
        case .unreachable, .refused, .unknownHost, .connectionLost, .handshakeTimeout, .cancelled: false
        case .closed: closure?.initiator == .remote
        default: true
        }
    }
}
