import FasciaCompositor
import FasciaEvents
import FasciaLink
import FasciaSession
import FasciaWire
import FoundationEssentials

extension HeadUnit {
    /// The answer to a phone's Hello.
    enum Arrival {
        case welcome(Welcome)
        case refuse(CloseCode, detail: String)
        /// Ask again at this time (nanoseconds), if the connection is still there.
        case later(UInt64)
    }

    static let software = "fascia-headunit 0.1"
    nonisolated static let channels: [ChannelID] = [.input, .vehicle, .semantics, .ownership, ScreenProfile.channel]
    static let capabilities: [Capability] = [.semantics, .zstd, .animations, .clock]

    /// A phone said Hello. After `.welcome`, `phoneConnected` follows or the connection is lost.
    /// - Parameter early: what it has said behind its Hello for its screen; asked for when its session goes on.
    func phoneArrived(_ hello: Hello, _ peer: PhonePeer, early: () -> [EarlyFrame.Message] = { [] }) -> Arrival {
        self.early = nil
        let offer = hello.hasResume ? ResumeTicket(session: Array(hello.resume.sessionID), token: Array(hello.resume.token)) : nil
        let fresh = SessionCredentials(session: Self.randomBytes(16), token: Self.randomBytes(32))
        let limits = Display.limits(options.profile)
        if let id = machine.link, link?.hasPeerAnswered == true { _ = machine.heard(id) }
        let (answer, actions) = machine.helloReceived(fingerprint: peer.fingerprint, offer: offer, fresh: fresh, now: MonotonicClock.now()) { credentials in
            PhoneSession(id: credentials.session, peer: peer, limits: limits, compresses: hello.capabilities.contains(UInt32(Capability.zstd.rawValue)))
        }
        perform(actions)
        switch answer {
        case .busy:
            let holder = session?.peer.name ?? ""
            events.emit("refused", ["reason": "busy", "phone": .string(peer.name), "address": .string(peer.address), "holder": .string(holder)])
            return .refuse(CloseCode.busy, detail: "\(options.name) shows \(holder). Disconnect it first.")
        case .wait(let until): return .later(until)
        case .superseded:
            return .refuse(CloseCode.superseded, detail: "another connection of this phone has the session")
        case .resume(let credentials):
            var resumed: Resumed?
            if let session {
                session.resume(speculative: hello.resume.speculative)
                resumed = .with {
                    $0.highestResource = session.scene.resources.highestIdentifier
                    $0.presentedSequence = session.scene.sequence
                }
                if hello.resume.speculative { show(early(), of: session) }
            }
            var welcome = welcome(credentials)
            if let resumed { welcome.resumed = resumed }
            return .welcome(welcome)
        case .welcome(let credentials):
            input.reset()
            statistics.sessions += 1
            ownershipBegins()
            pairingMayHaveChanged()
            return .welcome(welcome(credentials))
        }
    }

    /// The connection a Welcome was sent on is up.
    /// - Parameter attached: called when it is known what this phone may show and play, before anything is drawn of it.
    func phoneConnected(_ link: any PhoneLink, sessionID: [UInt8], resumed: Bool, fields: [String: EventValue], attached: () -> Void = {}) {
        let id = links.number(link)
        let reaction = machine.linkUp(id, session: sessionID, resumed: resumed)
        if machine.link == id, let session {
            knownPhone = session.peer.name
            if resumed { statistics.resumes += 1 }
            events.emit(resumed ? "resumed" : "connected", fields.merging(["phone": .string(session.peer.name), "session": .hex(session.id)]) { old, _ in old })
        }
        perform(reaction.actions)
        attached()
        if let early { settle(early, on: link) }
        early = nil
    }

    func received(channel: ChannelID, type: UInt16, body: [UInt8], on link: any PhoneLink) {
        guard let id = machine.link, links[id] === link, let session else { return }
        do throws(PhoneSession.Violation) {
            if channel == .ownership, type == MessageType.ownershipRequest { return try ownershipRequested(body) }
            switch try session.receive(channel: channel, type: type, body: body) {
            case .nothing: break
            case .semantics: waiters.changed()
            case .commit:
                statistics.commits += 1
                session.waitingSince = session.waitingSince ?? MonotonicClock.now()
                switch display.content {
                case .phone: display.compose()
                case .camera: acknowledge(session, at: MonotonicClock.now())
                case .home, .frozen: refresh()
                }
            }
        } catch {
            perform(machine.violated(id, error.code, detail: error.detail).actions)
            notice(.bad, "Phone disconnected", "It sent something this car cannot show.")
        }
    }

    /// A connection is over.
    func phoneLost(_ link: any PhoneLink, _ closure: LinkClosure) {
        guard let id = links.id(of: link) else { return }
        perform(machine.linkClosed(id, closure, hasPicture: session?.hasPicture == true, now: MonotonicClock.now()).actions)
        drop(id)
    }

    /// The connection a Welcome was for is gone already.
    func phoneFailed(sessionID: [UInt8]) { perform(machine.linkFailed(session: sessionID, now: MonotonicClock.now()).actions) }

    /// The user has taken the key of the phone that is here away.
    func phoneForgotten() {
        guard let session else { return }
        perform(machine.forgotten(fingerprint: session.peer.fingerprint).actions)
    }

    /// The car says goodbye to its phone.
    func endSession(detail: String) { perform(machine.stop(detail: detail).actions) }

    /// Does what the machine says.
    func perform(_ actions: [CarAction]) {
        for action in actions {
            switch action {
            case .attach:
                model.notice = nil
                ownershipAttached()
                phoneThawed()
                refresh()
            case .detach: break
            case .freeze: phoneFrozen()
            case .close(let id, let code, let detail):
                links[id]?.close(code, detail: detail)
                drop(id)
            case .suspended(let end, let grace):
                events.emit("suspended", fields(end).merging(["grace_ms": .unsigned(grace / 1_000_000)]) { old, _ in old })
            case .endSession(let end, let wasConnected):
                if wasConnected { events.emit("disconnected", fields(end)) }
                ownershipEnds()
                phoneThawed()
                pairingMayHaveChanged()
                refresh()
            }
        }
        watchSession()
    }

    /// Tells the discovery record and the screen.
    func pairingMayHaveChanged() { onPairingOpen?(!isOccupied) }

    private func fields(_ end: SessionEnd) -> [String: EventValue] {
        ["reason": .string(end.cause), "detail": .string(end.detail), "evidence": .array(end.evidenceNames.map { .string($0) }),
         "phone": .string(knownPhone ?? "")]
    }

    /// The connection is over: its figures stay.
    private func drop(_ id: LinkID) {
        guard let figures = links.remove(id)?.figures else { return }
        statistics.closedBytesIn += figures.bytesIn
        statistics.closedBytesOut += figures.bytesOut
    }

    private func welcome(_ credentials: SessionCredentials) -> Welcome {
        let limits = Display.limits(options.profile)
        return .with {
            $0.name = options.name
            $0.software = Self.software
            $0.capabilities = Self.capabilities.map { UInt32($0.rawValue) }
            $0.limits.resourceBudget = UInt32(clamping: limits.resourceBytes)
            $0.liveness = options.liveness
            $0.sessionID = Data(credentials.session)
            $0.resumeToken = Data(credentials.token)
            $0.channels = (Self.channels + sound.channels).map { UInt32($0.rawValue) }
            $0.audio = sound.capabilities
            $0.screens = [options.profile.screen]
            $0.vehicle = vehicle
            $0.inputDevices = options.profile.inputDevices
        }
    }

    /// From the system's generator.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator() // one call of the system for each eight bytes
        let words = (0..<(count + 7) / 8).map { _ in generator.next() as UInt64 }
        return (0..<count).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> (8 * UInt64($0 % 8))) }
    }
}
