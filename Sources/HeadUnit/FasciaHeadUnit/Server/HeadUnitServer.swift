import FasciaCarrier
import FasciaEvents
import FasciaLink
import FasciaPairing
import FasciaPaint
import FasciaTLS
import FasciaTrust
import FasciaWire
import Logging

/// Brings phones to a head unit: listens, pairs, announces the car, and carries its words both ways.
@MainActor
final class HeadUnitServer {
    let unit: HeadUnit
    private let options: HeadUnitOptions
    private let events: EventLog
    private let log: Logger
    private let identity: Identity
    private let trust: TrustStore
    private let lockout: PairingLockoutFile
    private let listener: LinkListener
    private let inbox = ListenerInbox()
    private var announcement: Announcement?
    private let evidence: EvidenceFeed
    private var code: PairingCode
    /// Sessions whose events are being read, to be waited for at the end.
    private var readers: [ObjectIdentifier: (session: LinkSession, task: Task<Void, Never>)] = [:]
    /// Of a connection that is over, what it said before may still have to be read, as much as its credit allowed. A phone that comes
    /// again and again faster than that is done would pile it up: it waits.
    private static let mostReaders = 4
    /// Hellos to be answered later, in the order of their numbers.
    private var waiting: [Int: () -> Void] = [:]
    private var lastWaiting = 0
    private(set) var port = 0
    private var trustWatch: Task<Void, Never>?
    private var isEnding = false
    /// How often it is looked whether the phone that is here is still trusted.
    private static let trustInterval = Duration.seconds(1)
    /// A line for standard output.
    private let say: (String) -> Void

    init(options: HeadUnitOptions, surface: any ScreenSurface, sound: CarSound? = nil, events: EventLog, log: Logger, say: @escaping (String) -> Void) throws {
        self.options = options
        self.events = events
        self.log = log
        self.say = say
        identity = try Identity.loadOrCreate(in: options.state)
        trust = try TrustStore(options.state)
        evidence = EvidenceFeed(events: events, log: log)
        lockout = try PairingLockoutFile(in: options.state)
        code = options.pairingCode ?? .random()
        let inbox = inbox
        listener = try LinkListener(
            identity: identity, trust: trust, pairing: PairingPolicy(code: code, name: options.name, lockout: lockout), log: log,
            channels: { HeadUnit.channels.contains($0) || ChannelID.sound.contains($0.rawValue) }
        ) { inbox.receive($0) }
        unit = try HeadUnit(options: options, surface: surface, events: events, sound: sound)
        unit.knownPhone = trust.peers.last?.name
        unit.model.pairingCode = code.digits
        unit.onPairingOpen = { [weak self] open in self?.setPairing(open) }
    }

    /// Listens, announces the car, shows home.
    /// - Throws: `.listen` when the port cannot be had; `DiscoveryError` when the environment asks for an mDNS that is not there.
    func start(environment: [String: String]) async throws {
        do {
            port = try await listener.start(host: options.host, port: options.port)
        } catch {
            let advice = error.code == .portInUse ? "" : ". Give another address with --listen HOST:PORT"
            throw HeadUnitError(.listen, "cannot listen on \(CarrierAddress(host: options.host, port: options.port)): \(error)\(advice)")
        }
        say("listening \(CarrierAddress(host: options.host, port: port))")
        say("pairing code \(code.digits)")
        events.emit("listening", ["host": .string(options.host), "port": .integer(Int64(port)), "name": .string(options.name), "id": .string(identity.fingerprint.short)])
        // Before anything is drawn: a phone may be waiting.
        if options.discovery {
            announcement = try Announcement(name: options.name, port: port, fingerprint: identity.fingerprint.bytes, pairing: true,
                                            environment: environment, events: events, log: log)
        }
        unit.start()
        if case .locked(let rest) = lockout.verdict { showLock(rest) }
        inbox.open { [weak self] in self?.handle($0, $1) }
        trustWatch = Task { [weak self] in await self?.watchTrust() }
        evidence.start()
    }

    /// Ends the session of a phone whose key was taken away, by this process or another one.
    private func watchTrust() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.trustInterval)
            guard let phone = unit.session?.peer, let fingerprint = Fingerprint(bytes: phone.fingerprint), !trust.isTrusted(fingerprint) else { continue }
            unit.phoneForgotten()
        }
    }

    /// Says goodbye to the phone and the network. Bounded by the link's goodbye time.
    func stop() async {
        isEnding = true // a phone that comes back at once would begin a session that nobody ends
        trustWatch?.cancel()
        unit.endSession(detail: "\(options.name) is ending")
        listener.stop()
        announcement?.withdraw()
        evidence.stop()
        let open = readers.values
        for reader in open {
            await reader.task.value
            await reader.session.ended() // its goodbye is on its way
        }
        unit.stop()
        events.emit("stopped")
    }

    /// What the console does to the link; the event comes before its effects.
    func inject(_ fault: LinkFault) {
        events.emit("link-\(fault.outcome)")
        switch fault {
        case .cut, .restore: listener.setCut(fault == .cut)
        case .reset: listener.reset()
        case .goodbye: unit.link?.close(CloseCode.goodbye, detail: "the console asked for it")
        }
    }

    // MARK: Listener

    private func handle(_ steps: [ListenerInbox.Step], _ event: ListenerEvent) {
        for (phase, address) in steps {
            events.emit(phase.kind.rawValue, ["address": .string(address.description), "tls_resumed": .bool(phase.isResumed)], at: phase.at)
        }
        act(on: event)
    }

    private func act(on event: ListenerEvent) {
        switch event {
        case .phase: break
        case .helloReceived(let hello, let peer, let reply): answer(hello, peer, reply)
        case .session: break // taken with the answer
        case .pairingStarted(let address):
            events.emit("pairing-started", ["address": .string(address.description)])
        case .paired(let peer): paired(peer)
        case .pairingFailed(let error, let address, let lockedFor): pairingFailed(error, address, lockedFor)
        case .rejected(let address, let error):
            events.emit("rejected", ["address": .string(address.description), "reason": .string(error.code.description), "detail": .string(error.description)])
        }
    }

    private func answer(_ hello: Hello, _ peer: RemotePeer, _ reply: HelloReply) {
        guard reply.isAwaited else { return }
        if isEnding { return reply.refuse(CloseCode.shutdown, detail: "\(options.name) is ending") }
        if readers.count >= Self.mostReaders { return postpone(hello, peer, reply, until: nil) }
        switch unit.phoneArrived(hello, PhonePeer(peer), early: { reply.takeHeld(on: ScreenProfile.channel.rawValue) }) {
        case .welcome(let welcome):
            let sound = unit.sound.feed()
            reply.consumeSound { sound.received($0, $1, $2, arrival: $3) }
            if let session = reply.take(welcome) { return read(session, sound) }
            unit.phoneFailed(sessionID: Array(welcome.sessionID))
            askAgain()
        case .refuse(let code, let detail): reply.refuse(code, detail: detail)
        case .later(let time): postpone(hello, peer, reply, until: time)
        }
    }

    /// - Parameter time: nanoseconds; at the latest then, or when a connection is gone. Nil: when one is.
    private func postpone(_ hello: Hello, _ peer: RemotePeer, _ reply: HelloReply, until time: UInt64?) {
        lastWaiting += 1
        let number = lastWaiting
        waiting[number] = { [weak self] in self?.answer(hello, peer, reply) }
        guard let time else { return }
        Task { [weak self] in
            let now = MonotonicClock.now()
            if time > now { try? await Task.sleep(nanoseconds: time - now) }
            self?.waiting.removeValue(forKey: number)?()
        }
    }

    /// The connection that others waited for is gone.
    private func askAgain() {
        let latecomers = waiting.sorted { $0.key < $1.key }
        waiting = [:]
        for latecomer in latecomers { latecomer.value() }
    }

    /// What the phone said behind its Hello is dealt with at once: the first frame waits for nothing.
    private func read(_ session: LinkSession, _ sound: SoundFeed) {
        let link = CarrierPhoneLink(session, sound: sound)
        unit.phoneConnected(link, sessionID: Array(session.welcome.sessionID), resumed: session.welcome.hasResumed, fields: [
            "address": .string(session.remote.address.description), "reason": .string(session.welcome.hasResumed ? "resumed" : "hello"),
            "evidence": [.string("welcome")],
        ]) { sound.connected(link) }
        while let event = session.readyEvent() {
            handle(event, on: link)
            if case .closed = event { return askAgain() }
        }
        evidence.watch(link)
        let key = ObjectIdentifier(link)
        readers[key] = (session, Task { [weak self] in
            for await event in session.events { self?.handle(event, on: link) }
            self?.readers[key] = nil
            self?.askAgain()
        })
    }

    private func handle(_ event: SessionEvent, on link: CarrierPhoneLink) {
        switch event {
        case .message(let channel, let type, let body): unit.received(channel: ChannelID(rawValue: channel), type: type, body: body, on: link)
        case .late(let time):
            events.emit("late", ["reason": "lateAnswer", "waited_ns": .unsigned(time)])
        case .suspected(let evidence):
            events.emit("suspected", ["reason": .string(evidence.kind.rawValue), "evidence": [.string(evidence.description)]])
        case .recovered(let silence):
            events.emit("recovered", ["reason": "heard", "silence_ns": .unsigned(silence)])
        case .closed(let closure):
            link.sound.disconnected()
            unit.phoneLost(link, closure)
        }
    }

    // MARK: Pairing

    private func setPairing(_ open: Bool) {
        listener.update(pairing: PairingPolicy(code: open ? code : nil, name: options.name, lockout: lockout))
        announcement?.setPairing(open)
    }

    private func paired(_ peer: PairedPeer) {
        events.emit("paired", [
            "phone": .string(peer.name), "fingerprint": .string(peer.fingerprint.short), "address": .string(peer.address.description), "reason": "code",
            "evidence": ["spake2-confirmed"],
        ])
        unit.knownPhone = peer.name
        if options.pairingCode == nil {
            code = .random()
            unit.model.pairingCode = code.digits
            say("pairing code \(code.digits)")
        }
        setPairing(!unit.isOccupied)
        unit.notice(.good, "Paired", "\(peer.name) can connect now.", hidesCode: true)
    }

    private func pairingFailed(_ error: CarrierError, _ address: CarrierAddress, _ lockedFor: UInt64?) {
        var fields: [String: EventValue] = [
            "address": .string(address.description), "reason": .string(error.code.description), "detail": .string(error.description),
        ]
        if let lockedFor { fields["locked_s"] = .number((Double(lockedFor) / 1e8).rounded() / 10) }
        events.emit("pairing-failed", fields)
        guard !unit.isOccupied else { return }
        if let lockedFor {
            showLock(lockedFor)
        } else if error.code == .wrongCode {
            unit.notice(.bad, "Pairing failed", "The code was not right. Enter the one shown here.")
        } else {
            unit.notice(.bad, "Pairing failed", "The phone broke off. Try again.")
        }
    }

    /// For as long as it lasts. A paired phone can connect all the same.
    private func showLock(_ nanoseconds: UInt64) {
        let seconds = Double(nanoseconds) / 1e9
        let wait = seconds < 90 ? "in \(Int(seconds.rounded(.up))) s" : "at \(WallClock.time(after: seconds))"
        unit.notice(.bad, "Pairing is locked", "Too many wrong codes. Try again \(wait).", hidesCode: true, for: nanoseconds)
    }
}
