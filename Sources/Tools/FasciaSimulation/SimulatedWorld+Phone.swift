import FasciaLink
import FasciaSession
import FasciaWire

/// The phone: what its session machine asks for, done.
extension SimulatedWorld {
    static let phoneKey = [UInt8](repeating: 1, count: 32)

    func startPhone() {
        phoneLife += 1
        phoneWakesAt = .max
        phone = PhoneSessionMachine(generator: SeededGenerator(seed: random.next()))
        scenes = SceneLifecycle()
        shown = []
        if let reaction = phone?.start(now: now) { perform(reaction.actions) }
    }

    /// The process is gone without a word, and its apps with it.
    func killPhone() {
        guard phone != nil else { return }
        phone = nil
        phoneLife += 1
        attempts = [:]
        attached = nil
        announced = [:]
        for app in processes.values { app.isAlive = false }
        processes = [:]
        dropSockets(of: .phone)
    }

    /// The process says goodbye first.
    func stopPhone() {
        if let reaction = phone?.stop(detail: "the phone ends") { perform(reaction.actions) }
        killPhone()
    }

    func perform(_ actions: [PhoneAction]) {
        for action in actions {
            switch action {
            case .dial(let link, let urgency):
                attempts[link] = urgency
                let life = phoneLife, begun = now
                after(0) { [unowned self] in if life == phoneLife { connect(link, begun: begun) } }
            case .widen: break
            case .recall(let link):
                let taken = attempts[link] == nil
                attempts[link] = nil
                if let reaction = taken ? phone?.flightTaken(link) : phone?.recalled(link, now: now) { perform(reaction.actions) }
            case .stopDial(let link):
                attempts[link] = nil
                if let connection = connections.first(where: { $0.phoneLink == link }) { shut(connection, .phone, reset: true) }
            case .attach(let link, let resumed):
                if attached != nil { violate("attached to \(link) while attached to another link") }
                attached = link
                lastLoss = nil
                if resumed { counts.resumes += 1 } else { counts.sessions += 1 }
                draw(on: link)
            case .detach(let link):
                if attached != link { violate("detached from \(link), which is not attached") }
                attached = nil
                lastLoss = now
            case .close(let link, let code, let detail): close(link, .phone, code, detail)
            case .observe(let link, let kind, let detail):
                guard let connection = connections.first(where: { $0.phoneLink == link }) else { continue }
                connection.phone.machine.observe(Evidence(kind, detail, at: now), now: now)
                serve(connection, .phone)
            case .endSession(let end):
                counts.sessionEnds += 1
                if end.reason == .graceOver, let lastLoss, now < lastLoss + settings.grace { violate("the grace time was cut short") }
                for app in scenes.running {
                    perform(scenes.carGone(app), for: app)
                    shown.remove(app)
                }
            case .tell(let notice):
                if case .raceStarted = notice { counts.races += 1 }
                if case .suspected = notice { counts.suspicions += 1 }
            }
        }
    }

    /// One attempt to reach the car: SYN and TLS, then the first flight.
    private func connect(_ link: LinkID, begun: UInt64) {
        guard let urgency = attempts[link] else { return }
        let life = phoneLife
        func again(in wait: UInt64) {
            after(wait) { [unowned self] in if life == phoneLife { connect(link, begun: begun) } }
        }
        if urgency == .patient, now - begun > 2_000 * Self.millisecond { return fail(link, .unreachable) }
        guard network.passes(now, &random) else { return again(in: urgency == .racing ? 10 * Self.millisecond : 500 * Self.millisecond) }
        let trip = 2 * network.time(&random)
        guard car != nil else {
            return after(trip) { [unowned self] in
                guard life == phoneLife, attempts[link] != nil else { return }
                if urgency == .racing { again(in: 10 * Self.millisecond) } else { fail(link, .unreachable) }
            }
        }
        let carLife = carLife
        after(2 * trip) { [unowned self] in
            guard life == phoneLife, attempts[link] != nil else { return }
            guard carLife == self.carLife, network.isUp(now) else { return again(in: 10 * Self.millisecond) }
            establish(link)
        }
    }

    private func fail(_ link: LinkID, _ failure: DialFailure) {
        attempts[link] = nil
        if let reaction = phone?.dialFailed(link, failure, now: now) { perform(reaction.actions) }
    }

    private func establish(_ link: LinkID) {
        attempts[link] = nil
        if let reaction = phone?.flightTaken(link) { perform(reaction.actions) }
        var hello = Hello()
        hello.versionMin = 1
        hello.versionMax = 1
        hello.name = "Simulated phone"
        hello.channels = [ChannelID.input, .vehicle, .mainDisplay].map { UInt32($0.rawValue) }
        if let ticket = phone?.ticket {
            hello.resume.sessionID = .init(ticket.session)
            hello.resume.token = .init(ticket.token)
        }
        lastCarLink = LinkID(rawValue: lastCarLink.rawValue + 1)
        let connection = SimulatedConnection(
            phoneLink: link, carLink: lastCarLink, phone: LinkMachine(configuration: LinkConfiguration(role: .phone(hello)), now: now),
            car: LinkMachine(configuration: LinkConfiguration(role: .headUnit), now: now))
        connection.breaksAfter = nextBreaks.isEmpty ? nil : nextBreaks.removeFirst()
        connections.append(connection)
        serve(connection, .phone)
        serve(connection, .car)
    }

    func phoneHears(_ event: LinkEvent, _ connection: SimulatedConnection) {
        let link = connection.phoneLink
        switch event {
        case .established(let welcome):
            connection.phone.isUp = true
            let grant = SessionGrant(ticket: ResumeTicket(session: Array(welcome.sessionID), token: Array(welcome.resumeToken)), isResumed: welcome.hasResumed,
                                     grace: UInt64(welcome.liveness.graceMs) * Self.millisecond)
            if let reaction = phone?.linkUp(link, grant, now: now) { perform(reaction.actions) }
        case .message(_, let type, _):
            if type == MessageType.presented, let reaction = phone?.presented(on: link) { perform(reaction.actions) }
        case .late: if let reaction = phone?.linkLate(link, now: now) { perform(reaction.actions) }
        case .suspected(let evidence): if let reaction = phone?.linkSuspect(link, evidence, now: now) { perform(reaction.actions) }
        case .recovered(let silence): if let reaction = phone?.linkRecovered(link, silence: silence) { perform(reaction.actions) }
        case .closed(let closure):
            if connection.phone.isUp {
                if let reaction = phone?.linkClosed(link, closure, now: now) { perform(reaction.actions) }
            } else {
                fail(link, closure.initiator == .remote ? .refused(closure.code) : .silent)
            }
        case .helloReceived: violate("the phone received a Hello")
        }
    }

    /// What is on the screen changes.
    func draw(on link: LinkID) {
        guard let connection = connections.first(where: { $0.phoneLink == link }) else { return }
        _ = connection.phone.machine.send(channel: .mainDisplay, type: MessageType.commit, body: [UInt8](repeating: 7, count: Int.random(in: 20...3000, using: &random)), now: now)
        serve(connection, .phone)
    }
}
