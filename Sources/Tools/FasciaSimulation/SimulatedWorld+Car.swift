import FasciaLink
import FasciaSession
import FasciaWire

/// The head unit: what its session machine asks for, done.
extension SimulatedWorld {
    func startCar() {
        carLife += 1
        carWakesAt = .max
        car = CarSessionMachine(grace: settings.grace)
    }

    func killCar() {
        guard car != nil else { return }
        car = nil
        carLife += 1
        carAttached = nil
        dropSockets(of: .car)
    }

    func stopCar() {
        if let reaction = car?.stop(detail: "the car ends") { perform(car: reaction.actions) }
        killCar()
    }

    func perform(car actions: [CarAction]) {
        for action in actions {
            switch action {
            case .attach(let link, _):
                if carAttached != nil { violate("the car's screen is taken by \(link) while another link has it") }
                carAttached = link
            case .detach(let link):
                if carAttached != link { violate("the car detaches \(link), which is not attached") }
                carAttached = nil
            case .close(let link, let code, let detail): close(link, .car, code, detail)
            case .freeze, .endSession, .suspended: break
            }
        }
    }

    func carHears(_ event: LinkEvent, _ connection: SimulatedConnection) {
        let link = connection.carLink
        switch event {
        case .helloReceived(let hello): answer(hello, connection)
        case .established(let welcome):
            connection.car.isUp = true
            if let reaction = car?.linkUp(link, session: Array(welcome.sessionID), resumed: welcome.hasResumed) { perform(car: reaction.actions) }
        case .message(_, let type, _):
            guard type == MessageType.commit else { return }
            connection.hasPicture = true
            _ = connection.car.machine.send(channel: .mainDisplay, type: MessageType.presented, body: [8, 1], now: now)
        case .closed(let closure):
            guard connection.car.isUp, let reaction = car?.linkClosed(link, closure, hasPicture: connection.hasPicture, now: now) else { return }
            perform(car: reaction.actions)
        case .late, .suspected, .recovered: break
        }
    }

    /// The phone has answered on this connection: what it paid to get here is worth nothing any more.
    func carWasAnswered(_ connection: SimulatedConnection) {
        connection.car.wasHeard = true
        if car?.link == connection.carLink, let token = connection.token { redeemed[token] = true }
        if let reaction = car?.heard(connection.carLink) { perform(car: reaction.actions) }
    }

    private func answer(_ hello: Hello, _ connection: SimulatedConnection) {
        guard car != nil else { return }
        let offer = hello.hasResume ? ResumeTicket(session: Array(hello.resume.sessionID), token: Array(hello.resume.token)) : nil
        let fresh = SessionCredentials(session: bytes(16), token: bytes(32))
        guard let (answer, actions) = car?.helloReceived(fingerprint: Self.phoneKey, offer: offer, fresh: fresh, now: now, presence: { _ in }) else { return }
        perform(car: actions)
        switch answer {
        case .welcome(let credentials): accept(credentials, resumed: false, connection)
        case .resume(let credentials):
            if let token = offer?.token {
                if redeemed[token] == true { violate("a resume token was good again after the phone had its successor") }
                redeemed[token] = sabotage == .tokenTakenTwice
                connection.token = token
            }
            accept(credentials, resumed: true, connection)
        case .wait(let until):
            let life = carLife
            after(until > now ? until - now : 0) { [unowned self] in
                guard life == carLife, connection.car.isOpen else { return }
                self.answer(hello, connection)
                serve(connection, .car)
            }
        case .superseded: connection.car.machine.close(.superseded, detail: "", now: now)
        case .busy: connection.car.machine.close(.busy, detail: "", now: now)
        }
    }

    private func accept(_ credentials: SessionCredentials, resumed: Bool, _ connection: SimulatedConnection) {
        var welcome = Welcome()
        welcome.name = "Simulated car"
        welcome.sessionID = .init(credentials.session)
        welcome.resumeToken = .init(credentials.token)
        welcome.liveness = settings.liveness
        welcome.liveness.graceMs = UInt32(settings.grace / Self.millisecond)
        welcome.screens = [.with { $0.channel = UInt32(ChannelID.mainDisplay.rawValue); $0.width = 800; $0.height = 480; $0.scale = 1 }]
        if resumed { welcome.resumed.presentedSequence = 1 }
        connection.hasPicture = resumed
        connection.car.machine.accept(welcome, now: now)
    }

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
}
