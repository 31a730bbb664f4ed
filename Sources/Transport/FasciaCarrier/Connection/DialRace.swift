import FasciaLink
import FasciaTLS
import NIOCore
import NIOPosix

/// A phone's attempts to reach one head unit, until one of them has become a session. Used on one event loop only.
///
///     attempts --stands--> carrier, or spare while there is one that is not doubted
///        ^                    |  \--Welcome--> won, everything else goes
///        +--- paced, while nobody carries or the carrier is doubted
///
/// One connection at a time carries: has TLS, a ticket, and the first flight with its resume token. A carrier that says nothing is
/// doubted, and may still win until another connection stands. Then it is broken off, so that the head unit drops what it has of it
/// unread or hears of its end, and the other one carries: no two of them can be resumed by a head unit that comes to itself.
final class DialRace {
    /// Connections that stand, kept for the case that the carrier stays silent.
    private static let spares = 2
    /// Silence after which a carrier is doubted whose flight the peer's kernel has not acknowledged, on paths with a short round trip, in
    /// nanoseconds. Doubled with each carrier.
    private static let shortestPatience: UInt64 = 100_000_000
    /// And one whose flight was: another connection would come to the same busy process.
    private static let acknowledgedPatience: UInt64 = 6 * shortestPatience

    private let plan: DialPlan
    private var addresses: [DialAddress]
    private let loop: any EventLoop
    private var connecting: [DialAttempt] = []
    private var spare: [DialAttempt] = []
    private var carrier: DialAttempt?
    private var pacer: RepeatedTask?
    private var watch: Scheduled<Void>?
    private var patience = 1 // times the shortest
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

    /// - Parameter ready: leaves at once, to the first address.
    func start(_ ready: ReadyFlight? = nil) {
        let isSent = ready.map(launch) ?? false
        for address in addresses.dropFirst(isSent ? 1 : 0) { attempt(address) }
        guard let interval = plan.pace.interval else { return next() } // there may be no address
        let race = NIOLoopBound(self, eventLoop: loop)
        let pause = TimeAmount(interval)
        pacer = loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in race.value.attemptAll() }
    }

    // MARK: - Attempts

    /// One more attempt at every address, unless a connection is doing well.
    private func attemptAll() {
        if isOver { return }
        if let carrier, !carrier.isDoubted {
            if !carrier.mayBeUnderWay { return }
            if let channel = carrier.channel { return attemptAllUnlessItStands(carrier, channel) }
        }
        beginAll()
    }

    /// A connection with TCP Fast Open takes bytes before it stands, and may not be there at all.
    private func attemptAllUnlessItStands(_ carrier: DialAttempt, _ channel: any Channel) {
        let bound = NIOLoopBound((self, carrier), eventLoop: loop)
        TransportOptions.progress(channel).whenComplete { progress in
            let (race, carrier) = bound.value
            if (try? progress.get())?.isConnecting == false { carrier.isKnownToStand = true }
            if !race.isOver, race.carrier !== carrier || carrier.mayBeUnderWay { race.beginAll() }
        }
    }

    private func beginAll() {
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
        let isFirst = attempts == 0
        attempts += 1
        let attempt = DialAttempt(address, self, isFast: isFirst)
        connecting.append(attempt)
        let bound = NIOLoopBound(attempt, eventLoop: loop)
        let bootstrap = ChannelSetup.client(ClientBootstrap(group: loop), fastOpen: isFirst)
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
        // The head unit takes the connection at this moment: what it will be told is made meanwhile.
        if isFirst, plan.isEager, carrier == nil, !attempt.stands { carry(attempt) }
    }

    /// - Returns: false when there is no way at all.
    private func launch(_ ready: ReadyFlight) -> Bool {
        let attempt = DialAttempt(ready.address, self, isFast: true)
        guard let descriptor = ready.send() else { return false }
        attempts += 1
        attempt.lastHeard = .current
        (ready.owner.race, ready.owner.attempt) = (self, attempt)
        carrier = attempt
        let bound = NIOLoopBound((attempt, ready.tls, ready.link), eventLoop: loop)
        ClientBootstrap(group: loop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let (attempt, tls, link) = bound.value
                attempt.channel = channel
                try ChannelSetup.install(on: channel, tls, link)
                try channel.pipeline.syncOperations.addHandler(DialEntry(attempt), position: .first)
            }
        }.withConnectedSocket(descriptor).hop(to: loop).whenFailure { error in
            let attempt = bound.value.0
            attempt.race?.failed(attempt, .connection(error, to: attempt.address.address))
        }
        return true
    }

    /// TCP stands.
    func established(_ attempt: DialAttempt) {
        connecting.removeAll { $0 === attempt }
        if isOver { return attempt.close() }
        guard let carrier else { return carry(attempt) }
        if attempt === carrier {
            reached(.tcp, attempt)
            listenLater(limit(attempt))
        } else if carrier.isDoubted || !carrier.stands {
            carry(attempt)
        } else if carrier.mayBeUnderWay, let channel = carrier.channel {
            // With TCP Fast Open a connection is taken before it stands; one that stands is better.
            let bound = NIOLoopBound((self, attempt), eventLoop: loop)
            TransportOptions.progress(channel).whenComplete { progress in
                let (race, attempt) = bound.value
                race.settle(attempt, isCarrierConnecting: (try? progress.get())?.isConnecting ?? false)
            }
        } else {
            keep(attempt)
        }
    }

    private func settle(_ attempt: DialAttempt, isCarrierConnecting: Bool) {
        if isOver { return attempt.close() }
        if carrier == nil || isCarrierConnecting { carry(attempt) } else { keep(attempt) }
    }

    private func keep(_ attempt: DialAttempt) {
        if spare.count < Self.spares {
            spare.append(attempt)
        } else {
            attempt.close()
        }
    }

    /// This connection gets TLS and the first flight, and no other one has them any more.
    private func carry(_ attempt: DialAttempt) {
        guard let channel = attempt.channel else { return }
        carrier?.breakOff()
        carrier = attempt
        attempt.lastHeard = .current
        defer { if attempt.stands { reached(.tcp, attempt) } } // what is made of it must not hold up the first bytes
        do {
            let engine = try plan.makeEngine()
            let owner = SessionDial(plan, attempt.address.address, loop)
            owner.race = self
            owner.attempt = attempt
            try ChannelSetup.install(on: channel, engine: engine, owner: owner, handshakeTimeout: plan.timeouts.handshake)
        } catch {
            return failed(attempt, .connection(error))
        }
        if attempt.stands { listenLater(limit(attempt)) }
    }

    private func reached(_ kind: ConnectPhase.Kind, _ attempt: DialAttempt) {
        plan.phases(ConnectPhase(kind: kind, at: attempt.stoodAt, address: attempt.address.address))
    }

    // MARK: - Silence

    private func limit(_ attempt: DialAttempt) -> UInt64 { max(UInt64(patience) * Self.shortestPatience, 3 * attempt.connectTime) }

    private func listenLater(_ time: UInt64) {
        watch?.cancel()
        let race = NIOLoopBound(self, eventLoop: loop)
        watch = loop.scheduleTask(in: .nanoseconds(Int64(clamping: time))) { race.value.listen() }
    }

    private func listen() {
        guard !isOver, let carrier, !carrier.isDoubted, let channel = carrier.channel else { return }
        let silence = LinkInstant.current - min(.current, carrier.lastHeard)
        let limit = limit(carrier), longest = max(limit, UInt64(patience) * Self.acknowledgedPatience)
        if silence < limit { return listenLater(limit - silence) }
        if silence >= longest { return doubt(carrier) }
        let bound = NIOLoopBound((self, carrier), eventLoop: loop)
        TransportOptions.progress(channel).whenComplete { progress in
            let (race, carrier) = bound.value
            if (try? progress.get())?.isAcknowledged == true { race.listenLater(longest - silence) } else { race.doubt(carrier) }
        }
    }

    /// It has said nothing for too long.
    private func doubt(_ attempt: DialAttempt) {
        guard !isOver, carrier === attempt else { return }
        attempt.isDoubted = true
        patience = min(patience * 2, 64)
        next()
    }

    /// Whoever can carries.
    private func next() {
        if isOver { return }
        if let carrier, !carrier.isDoubted { return }
        while !spare.isEmpty {
            let attempt = spare.removeFirst()
            if attempt.channel?.isActive == true { return carry(attempt) }
        }
        guard plan.pace.interval == nil, connecting.isEmpty, carrier == nil else { return }
        end(.failure(lastError ?? CarrierError(.unreachable, .network, "there is no address to connect to")))
    }

    // MARK: - End

    /// An attempt came to nothing. Racing goes on, unless it was an answer.
    func failed(_ attempt: DialAttempt, _ error: CarrierError) {
        if isOver || attempt.hasFailed { return }
        attempt.hasFailed = true // closing it will tell of it again
        if lastError?.isAnswer != true { lastError = error }
        switch error.code {
        case .closed: drop(attempt, isClosing: true) // it has its CLOSE to send yet, and goes when that is done
        case .handshakeTimeout:
            drop(attempt, isClosing: true)
            attempt.breakOff()
        default: drop(attempt)
        }
        if plan.pace.interval != nil, error.isAnswer {
            end(.failure(error))
        } else {
            next()
        }
    }

    /// - Returns: whether it is the first.
    func won(_ attempt: DialAttempt, _ session: LinkSession) -> Bool {
        guard carrier === attempt else { return false }
        carrier = nil
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
        for attempt in connecting + spare { attempt.close() }
        carrier?.breakOff()
        (connecting, spare, carrier) = ([], [], nil)
        return isFirst
    }

    private func drop(_ attempt: DialAttempt, isClosing: Bool = false) {
        connecting.removeAll { $0 === attempt }
        spare.removeAll { $0 === attempt }
        if carrier === attempt { carrier = nil }
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
