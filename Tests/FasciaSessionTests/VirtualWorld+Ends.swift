import FasciaLink
import FasciaSession
import FasciaWire
import Foundation

/// Phone and car: what they hear and do at one moment.
extension VirtualWorld {
    /// Until nothing more happens at this moment.
    mutating func settle() {
        var isBusy = true
        while isBusy {
            isBusy = false
            for link in connections.keys.sorted() {
                while connections[link]?.isAbandoned == false, let event = connections[link]?.phone.nextEvent() {
                    isBusy = true
                    phoneHeard(event, on: link)
                }
                while let event = connections[link]?.car.nextEvent() {
                    isBusy = true
                    carHeard(event, on: link)
                }
                if let (hello, until) = connections[link]?.waiting, until <= now {
                    connections[link]?.waiting = nil
                    if connections[link]?.car.isClosed == false { answer(hello, on: link) }
                    isBusy = true
                }
                transmit(link)
            }
        }
    }

    private mutating func transmit(_ link: LinkID) {
        guard var connection = connections[link] else { return }
        var bytes: [UInt8] = []
        if connection.isAbandoned {
            while connection.car.transmit(upTo: 16_384, into: &bytes, now: now) > 0 {}
            connections[link] = connection.car.isClosed ? nil : connection
            return
        }
        while connection.phone.transmit(upTo: 16_384, into: &bytes, now: now) > 0 {}
        if !bytes.isEmpty { connection.toCar.append(Flight(at: arrival(after: connection.toCar.last?.at), bytes: bytes)) }
        bytes = []
        while connection.car.transmit(upTo: 16_384, into: &bytes, now: now) > 0 {}
        if !bytes.isEmpty { connection.toPhone.append(Flight(at: arrival(after: connection.toPhone.last?.at), bytes: bytes)) }
        if connection.phone.isClosed, connection.finAtCar == nil { connection.finAtCar = arrival(after: connection.toCar.last?.at) }
        if connection.car.isClosed, connection.finAtPhone == nil { connection.finAtPhone = arrival(after: connection.toPhone.last?.at) }
        connections[link] = connection.phone.isClosed && connection.car.isClosed ? nil : connection
    }

    private mutating func phoneHeard(_ event: LinkEvent, on link: LinkID) {
        switch event {
        case .established(let welcome):
            connections[link]?.isUp = true
            dials[link] = nil
            let grant = SessionGrant(ticket: ResumeTicket(session: Array(welcome.sessionID), token: Array(welcome.resumeToken)), isResumed: welcome.hasResumed, grace: 10_000 * Self.ms)
            perform(phone.linkUp(link, grant, now: now))
            perform(phone.presented(on: link))
        case .late(let time): perform(phone.linkLate(link, waited: time, now: now))
        case .suspected(let evidence): perform(phone.linkSuspect(link, evidence, now: now))
        case .recovered(let silence): perform(phone.linkRecovered(link, silence: silence))
        case .closed(let closure):
            let wasUp = connections[link]?.isUp == true
            dials[link] = nil
            perform(wasUp ? phone.linkClosed(link, closure, now: now) : phone.dialFailed(link, closure.initiator == .remote ? .refused(closure.code) : .silent, now: now))
        case .helloReceived, .message: break
        }
    }

    private mutating func carHeard(_ event: LinkEvent, on link: LinkID) {
        guard let carLink = connections[link]?.carLink else { return }
        switch event {
        case .helloReceived(let hello): answer(hello, on: link)
        case .established(let welcome): perform(car.linkUp(carLink, session: Array(welcome.sessionID), resumed: welcome.hasResumed).actions)
        case .closed(let closure):
            perform(car.linkClosed(carLink, closure, hasPicture: true, now: now).actions)
            for other in connections.keys { connections[other]?.waiting?.until = now } // `HeadUnitServer` asks again
        case .message, .late, .suspected, .recovered: break
        }
    }

    private mutating func answer(_ hello: Hello, on link: LinkID) {
        tokens &+= 1
        let fresh = SessionCredentials(session: [UInt8](repeating: tokens, count: 16), token: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
        let offer = hello.hasResume ? ResumeTicket(session: Array(hello.resume.sessionID), token: Array(hello.resume.token)) : nil
        if let current = car.link, let key = self.link(ofCar: current), connections[key]?.car.hasPeerAnswered == true { _ = car.heard(current) }
        let (answer, actions) = car.helloReceived(fingerprint: [1], offer: offer, fresh: fresh, now: now) { _ in }
        perform(actions)
        switch answer {
        case .welcome(let credentials), .resume(let credentials):
            var welcome = Welcome()
            welcome.sessionID = Data(credentials.session)
            welcome.resumeToken = Data(credentials.token)
            welcome.screens = [.with { $0.channel = 16; $0.width = 800; $0.height = 480; $0.scale = 1 }]
            if case .resume = answer { welcome.resumed = Resumed() }
            _ = connections[link]?.car.accept(welcome, now: now)
        case .wait(let until): connections[link]?.waiting = (hello, until)
        case .superseded: connections[link]?.car.close(.superseded, detail: "", now: now)
        case .busy: connections[link]?.car.close(.busy, detail: "", now: now)
        }
    }

    mutating func perform(_ reaction: PhoneSessionMachine.Reaction) {
        for action in reaction.actions {
            switch action {
            case .dial(let link, let urgency): dials[link] = Dial(next: now, interval: urgency == .racing ? 10 * Self.ms : 1_000 * Self.ms)
            case .widen, .detach, .observe: break
            case .recall(let link):
                if dials[link]?.isTaken == true {
                    perform(phone.flightTaken(link))
                } else {
                    dials[link] = nil
                    recalled += 1
                    perform(phone.recalled(link, now: now))
                }
            case .stopDial(let link):
                dials[link] = nil
                connections[link]?.phone.close(.superseded, detail: "given up", now: now)
            case .attach(_, let resumed):
                attached += 1
                if resumed { tookOver += 1 }
            case .close(let link, let code, let detail): connections[link]?.phone.close(code, detail: detail, now: now)
            case .endSession(let end): ends.append("\(now / Self.ms) ms: phone, \(end.reason)")
            case .tell(.late): late += 1
            case .tell: break
            }
        }
    }

    mutating func perform(_ actions: [CarAction]) {
        for action in actions {
            switch action {
            case .detach, .suspended: break
            case .freeze: frozenSince = frozenSince ?? now
            case .attach: thaw()
            case .close(let carLink, let code, let detail): if let key = link(ofCar: carLink) { connections[key]?.car.close(code, detail: detail, now: now) }
            case .endSession(let end, _):
                thaw()
                ends.append("\(now / Self.ms) ms: car, \(end.reason)")
            }
        }
    }

    /// A picture that stands still for a moment is not said to (`HeadUnitOptions.lossNoticeDelay`).
    private mutating func thaw() {
        if let since = frozenSince, now >= since + 150 * Self.ms { frozen += 1 }
        frozenSince = nil
    }
}
