import FasciaCompositor
import FasciaEvents
import FasciaWire
import FoundationEssentials

extension HeadUnit {
    /// The answer to a phone's Hello.
    enum Arrival {
        case welcome(Welcome)
        case refuse(CloseCode, detail: String)
    }

    static let software = "fascia-headunit 0.1"
    static let capabilities: [Capability] = [.semantics, .zstd, .animations]

    /// A phone said Hello. After `.welcome`, `phoneConnected` follows or the connection is lost.
    func phoneArrived(_ hello: Hello, _ peer: PhonePeer) -> Arrival {
        switch Admission.decide(current: session, fingerprint: peer.fingerprint, resume: hello.hasResume ? hello.resume : nil) {
        case .busy(let holder):
            events.emit("refused", ["reason": "busy", "phone": .string(peer.name), "address": .string(peer.address), "holder": .string(holder)])
            return .refuse(CloseCode.busy, detail: "\(options.name) shows \(holder). Disconnect it first.")
        case .resume:
            guard let session else { return .refuse(.internalError, detail: "no session") }
            supersede(session)
            session.issue(Self.randomBytes(32))
            startGrace(milliseconds: options.graceMilliseconds)
            var welcome = welcome(for: session)
            welcome.resumed = .with {
                $0.highestResource = session.scene.resources.highestIdentifier
                $0.presentedSequence = session.scene.sequence
            }
            return .welcome(welcome)
        case .newSession, .replace:
            if let old = session {
                supersede(old)
                endSession(reason: "replaced", detail: "the phone started a new session", evidence: [])
            }
            let session = PhoneSession(id: Self.randomBytes(16), peer: peer, resumeToken: Self.randomBytes(32), limits: Display.limits(options.profile),
                                       compresses: hello.capabilities.contains(UInt32(Capability.zstd.rawValue)))
            self.session = session
            input.reset()
            statistics.sessions += 1
            startGrace(milliseconds: options.graceMilliseconds)
            pairingMayHaveChanged()
            return .welcome(welcome(for: session))
        }
    }

    /// The connection a Welcome was sent on is up.
    func phoneConnected(_ link: any PhoneLink, sessionID: [UInt8], resumed: Bool, fields: [String: EventValue]) {
        guard let session, session.id == sessionID else {
            return link.close(CloseCode.superseded, detail: "a newer connection of the same phone has the session")
        }
        if let old = session.link, old !== link { supersede(session) }
        session.link = link
        session.hasConnected = true
        stopGrace()
        knownPhone = session.peer.name
        if resumed { statistics.resumes += 1 }
        events.emit(resumed ? "resumed" : "connected", fields.merging(["phone": .string(session.peer.name), "session": .hex(session.id)]) { old, _ in old })
        model.notice = nil
        refresh()
    }

    func received(channel: ChannelID, type: UInt16, body: [UInt8], on link: any PhoneLink) {
        guard let session, session.link === link else { return }
        do throws(PhoneSession.Violation) {
            switch try session.receive(channel: channel, type: type, body: body) {
            case .nothing: break
            case .semantics: waiters.changed()
            case .commit:
                statistics.commits += 1
                if case .phone = display.content { display.compose() } else { refresh() }
            }
        } catch {
            link.close(error.code, detail: error.detail)
            countClosed(link)
            session.link = nil
            endSession(reason: "violation", detail: error.detail, evidence: ["local"])
            notice(.bad, "Phone disconnected", "It sent something this car cannot show.")
        }
    }

    /// A connection is over. `keeps`: the phone may come back within the grace period.
    func phoneLost(_ link: any PhoneLink, reason: String, detail: String, evidence: [String], keeps: Bool, graceMilliseconds: UInt32) {
        guard let session, session.link === link else { return }
        countClosed(link)
        session.link = nil
        guard keeps, session.hasPicture else { return endSession(reason: reason, detail: detail, evidence: evidence) }
        events.emit("suspended", [
            "reason": .string(reason), "detail": .string(detail), "evidence": .array(evidence.map { .string($0) }), "phone": .string(session.peer.name),
            "grace_ms": .unsigned(graceMilliseconds),
        ])
        startGrace(milliseconds: graceMilliseconds)
        refresh()
    }

    /// The session is over: its picture goes, home comes.
    func endSession(reason: String, detail: String, evidence: [String]) {
        guard let session else { return }
        if let link = session.link { countClosed(link) }
        stopGrace()
        self.session = nil
        if session.hasConnected {
            events.emit("disconnected", [
                "reason": .string(reason), "detail": .string(detail), "evidence": .array(evidence.map { .string($0) }),
                "phone": .string(session.peer.name), "session": .hex(session.id),
            ])
        }
        pairingMayHaveChanged()
        refresh()
    }

    /// Tells the discovery record and the screen.
    func pairingMayHaveChanged() { onPairingOpen?(!isOccupied) }

    private func supersede(_ session: PhoneSession) {
        guard let old = session.link else { return }
        countClosed(old)
        session.link = nil
        old.close(CloseCode.superseded, detail: "a newer connection of the same phone took over")
    }

    private func countClosed(_ link: any PhoneLink) {
        let figures = link.figures
        statistics.closedBytesIn += figures.bytesIn
        statistics.closedBytesOut += figures.bytesOut
    }

    private func welcome(for session: PhoneSession) -> Welcome {
        let limits = Display.limits(options.profile)
        return .with {
            $0.name = options.name
            $0.software = Self.software
            $0.capabilities = Self.capabilities.map { UInt32($0.rawValue) }
            $0.limits.resourceBudget = UInt32(clamping: limits.resourceBytes)
            $0.liveness = .with {
                $0.probeIntervalMs = options.probeIntervalMilliseconds
                $0.suspectAfterMs = options.suspectAfterMilliseconds
                $0.deadAfterMs = options.deadAfterMilliseconds
                $0.graceMs = options.graceMilliseconds
            }
            $0.sessionID = Data(session.id)
            $0.resumeToken = Data(session.resumeToken)
            $0.channels = [ChannelID.input, .vehicle, .semantics, ScreenProfile.channel].map { UInt32($0.rawValue) }
            $0.screens = [options.profile.screen]
            $0.vehicle = vehicle
            $0.inputDevices = options.profile.inputDevices
        }
    }

    /// From the system's generator.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
