import FasciaCarrier
import FasciaEvents
import FasciaEvidence
import FasciaLink
import FasciaSession
import FasciaTrust
import FasciaWire
import Foundation

/// The link's side: what happens goes into the session machine, what it says is done.
extension Phone {
    /// Gives the machine an input, with the time, and does what it says.
    func perform(_ input: (inout PhoneSessionMachine, UInt64) -> PhoneSessionMachine.Reaction) {
        for action in input(&machine, MonotonicClock.now()).actions { perform(action) }
        watchSession()
        keepReflex()
    }

    /// The machine says for which connection's loss the next attempt may begin by itself.
    func keepReflex(renewed: Bool = false) {
        let link = machine.reflex
        if dialer.keepReflex(for: link, link.flatMap { links[$0] }, renewed: renewed) { prepareFlight() }
    }

    private func perform(_ action: PhoneAction) {
        switch action {
        case .dial(let link, let urgency):
            if !dialer.hasBegun { prepareFlight(always: true) }
            dialer.dial(link, urgency)
        case .widen(let link): dialer.widen(link)
        case .recall(let link):
            let isRecalled = dialer.recall(link)
            perform { isRecalled ? $0.recalled(link, now: $1) : $0.flightTaken(link) }
        case .stopDial(let link): dialer.stop(link)
        case .attach(let link, let resumed): attach(link, resumed: resumed)
        case .detach:
            screen.detach()
            ownership.detach()
            sound.post(.detach)
        case .close(let link, let code, let detail): links.removeValue(forKey: link)?.close(code, detail: detail)
        case .observe(let link, let kind, let detail): links[link]?.observe(kind, detail: detail)
        case .endSession(let end): endSession(end)
        case .tell(let notice): tell(notice)
        }
    }

    func dialEnded(_ link: LinkID, _ outcome: CarDialer.Outcome) {
        switch outcome {
        case .up(let session, let pass):
            links[link] = session
            passes[link] = pass
            defer { passes[link] = nil }
            let welcome = session.welcome
            let grant = SessionGrant(ticket: ResumeTicket(session: Array(welcome.sessionID), token: Array(welcome.resumeToken)), isResumed: welcome.hasResumed,
                                     grace: UInt64(welcome.liveness.graceMs) * 1_000_000)
            perform { $0.linkUp(link, grant, now: $1) }
            if machine.link == link { read(session, as: link) }
        case .failed(let failure): perform { $0.dialFailed(link, failure, now: $1) }
        case .hopeless(let error): end(error)
        }
    }

    func firstFrame(_ sequence: UInt32) {
        events.emit("first-frame", ["sequence": .unsigned(sequence)])
        guard let link = machine.link, let session = links[link] else { return }
        perform { machine, _ in machine.presented(on: link) }
        path = nil
        let host = session.remote.address.host
        Task { [weak self] in
            // Asking the kernel for routes and interfaces takes a while, and nobody waits for the answer.
            let path = await Task.detached { LinkPath(to: host) }.value
            if self?.machine.link == link { self?.path = path }
        }
    }

    // MARK: Connections

    private func attach(_ link: LinkID, resumed: Bool) {
        guard let session = links[link] else { return }
        path = nil // what happens to the interface of the last one does not hurt this one
        let welcome = session.welcome
        let speculation = session.speculationCounted ? passes[link]?.speculation : nil
        events.emit(resumed ? "resumed" : "connected", [
            "car": .string(welcome.name), "address": .string(session.remote.address.description), "session": .hex(welcome.sessionID),
            "reason": resumed ? "resumed" : "hello", "evidence": ["welcome"], "speculation": .bool(speculation?.counts(after: welcome.resumed.presentedSequence, highestResource: welcome.resumed.highestResource) == true),
        ])
        screen.attach(session, counting: speculation)
        ownership.attach(SessionOwnershipLink(session), resumed: resumed)
        attachSound(session, resumed: resumed)
    }

    private func read(_ session: LinkSession, as link: LinkID) {
        Task { [weak self] in
            for await event in session.events { self?.handle(event, of: session, link) }
        }
    }

    private func handle(_ event: SessionEvent, of session: LinkSession, _ link: LinkID) {
        switch event {
        case .message(let channel, let type, let body): if machine.link == link { receive(channel: channel, type: type, body: body, from: session) }
        case .late(let time): perform { $0.linkLate(link, waited: time, now: $1) }
        case .suspected(let evidence): perform { $0.linkSuspect(link, evidence, now: $1) }
        case .recovered(let silence): perform { machine, _ in machine.linkRecovered(link, silence: silence) }
        case .closed(let closure):
            links[link] = nil
            perform { $0.linkClosed(link, closure, now: $1) }
        }
    }

    private func receive(channel: UInt16, type: UInt16, body: [UInt8], from session: LinkSession) {
        do {
            if channel == ChannelID.ownership.rawValue, type == MessageType.ownershipState { return try ownership.receive(body) }
            if try !screen.receive(channel: channel, type: type, body: body) {
                log.debug("message 0x\(String(type, radix: 16)) on channel \(channel) is not for this phone")
            }
        } catch {
            session.close(.badMessage, detail: "message 0x\(String(type, radix: 16)): \(error)")
        }
    }

    // MARK: The first flight

    static func hello(_ configuration: PhoneConfiguration) -> Hello {
        .with {
            $0.versionMin = 1
            $0.versionMax = 1
            $0.name = configuration.name
            $0.software = "fascia-phone 0.1"
            $0.capabilities = [.semantics, .zstd, .animations, .clock].map { (capability: Capability) in UInt32(capability.rawValue) }
            $0.channels = [ChannelID.input, .vehicle, .semantics, .ownership, .mainDisplay].map { UInt32($0.rawValue) } + CarSound.channels
            $0.audio = CarSound.offer
        }
    }

    /// Keeps what an attempt would say up to date, while there is one.
    func prepareFlight(always: Bool = false) {
        guard always || dialer.isDialing else { return }
        var content = FlightBox.Content(flight: FirstFlight(hello: Self.hello(configuration)))
        if let ticket = machine.ticket {
            content.flight.hello.resume.sessionID = Data(ticket.session)
            content.flight.hello.resume.token = Data(ticket.token)
            content.flight.hello.resume.presentedSequence = screen.presentedSequence
            do {
                if let (speculation, messages) = try screen.speculation(rendering: always || machine.reflex == nil) {
                    content = FlightBox.Content(flight: FirstFlight(hello: content.flight.hello, messages: messages), speculation: speculation)
                }
            } catch { log.debug("nothing is said in advance: \(error)") }
        }
        flights.set(content)
        dialer.refreshReflex()
    }

    // MARK: End and evidence

    /// The car is gone for good: every scene disconnects, exactly once.
    private func endSession(_ end: SessionEnd) {
        events.emit("disconnected", ["reason": .string(end.cause), "detail": .string(end.detail), "evidence": .array(end.evidenceNames.map { .string($0) })])
        sound.post(.carEnded)
        ownership.ended()
        for app in scenes.running {
            perform(scenes.carGone(app), for: app)
            screen.application(app, .disconnected)
        }
    }

    private func tell(_ notice: PhoneNotice) {
        switch notice {
        case .late(let waited): events.emit("late", ["waited_ns": .unsigned(waited), "reason": "probe", "evidence": ["lateAnswer"]], narrated: false)
        case .suspected(let evidence): events.emit("suspected", ["reason": .string(evidence.kind.rawValue), "evidence": [.string("\(evidence)")]])
        case .recovered(let silence): events.emit("recovered", ["silence_ms": .integer(Int64(silence / 1_000_000)), "reason": "bytes", "evidence": ["bytes"]], narrated: silence > 300_000_000)
        case .raceStarted: events.emit("race-started", narrated: false)
        case .raceWon(let by): events.emit("race-won", ["by": .string(by.rawValue)], narrated: false)
        case .suspended(let end, let grace):
            events.emit("suspended", ["reason": .string(end.cause), "detail": .string(end.detail), "evidence": .array(end.evidenceNames.map { .string($0) }),
                                      "grace_ms": .unsigned(grace / 1_000_000)], at: end.evidence.first?.at ?? MonotonicClock.now())
        case .evidence(let kind, let detail): events.emit("evidence", ["kind": .string(kind.rawValue), "detail": .string(detail)])
        }
    }

    func watchEvidence() async {
        for await event in sources.events {
            let isHurt = path?.isHurt(by: event.kind) == true
            switch event.kind {
            case .carrierLost where isHurt, .addressLost where isHurt: perform { $0.evidence(.carrierLost, detail: event.kind.detail, now: $1) }
            case .powerLost: perform { $0.evidence(.powerLost, detail: event.kind.detail, now: $1) }
            case .carrierBack, .addressAdded, .powerBack: perform { $0.opportunity(now: $1) }
            case .clockStepped:
                events.emit("evidence", ["kind": .string(event.kind.name), "detail": .string(event.kind.detail)])
                screen.setClock(WallClock.read().clock)
            case .carrierLost, .addressLost: break
            }
        }
    }

    /// Ends the session with a car whose key was taken away by another process.
    func watchTrust() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            guard let link = machine.link, let car = links[link]?.remote, !trust.isTrusted(car.fingerprint) else { continue }
            perform { $0.forgotten(now: $1) }
        }
    }
}
