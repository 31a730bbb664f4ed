import FasciaAppHost
import FasciaAppLink
import FasciaCarrier
import FasciaDiscovery
import FasciaEvents
import FasciaLink
import FasciaPaint
import FasciaSession
import FasciaTLS
import FasciaTemplateUI
import FasciaTrust
import FasciaWire
import Foundation
import Logging
import SwiftProtobuf

/// The phone: apps behind it, a car in front of it, the template UI in between.
///
/// ```
///   AppHost <--messages--> TemplateUI (in ScreenLoop) <--input, states--> LinkSession <-- CarConnector <-- CarFinder
/// ```
/// Everything here runs on the main actor; no step of it waits for app code, so a hanging app never holds the link.
@MainActor
public final class Phone {
    /// Short: an attempt that began while the link was cut must not hold up the next one.
    private static let timeouts = CarrierTimeouts(connect: .seconds(2), handshake: .milliseconds(1500))

    let configuration: PhoneConfiguration
    let host: AppHost
    let screen: ScreenLoop
    private let connector: CarConnector
    private let finder: CarFinder
    private let browser: Browser?
    let events: EventLog
    let log: Logger
    var scenes = SceneLifecycle()
    private var session: LinkSession?
    private var resume: ResumeTicket?
    private var graceEnd: Task<Void, Never>?

    /// - Throws: what is wrong with fonts, state directory or network, in words for the user.
    public init(_ configuration: PhoneConfiguration, state: StateDirectory, events: EventLog, log: Logger) throws {
        self.configuration = configuration
        self.events = events
        self.log = log
        let trust = try TrustStore(state)
        let identity = try Identity.loadOrCreate(in: state)
        host = AppHost(bundles: configuration.apps, budgets: configuration.budgets, reports: ReportStore(directory: state.path + "/reports"), log: log)
        screen = ScreenLoop(interface: TemplateUI(painter: try Painter(), traits: ScreenTraits()), events: events)
        finder = CarFinder(car: configuration.car, trust: trust, events: events)
        connector = CarConnector(configuration: configuration, finder: finder, dialer: try LinkDialer(identity: identity, trust: trust, log: log, timeouts: Self.timeouts, tickets: configuration.tickets),
                                 events: events, log: log)
        if case .named = configuration.car {
            browser = Browser(options: try .resolve(environment: ProcessInfo.processInfo.environment), logger: log)
        } else {
            browser = nil
        }
        screen.interface.setApplications(host.applications.map { HomeApplication(id: $0.id, name: $0.name, icon: $0.icon()) })
        host.onEvent = { [weak self] id, event in self?.appEvent(id, event) }
        screen.onTurn = { [weak self] in self?.takeActions() }
        screen.onFirstFrame = { [weak self] sequence in self?.events.emit("first-frame", ["sequence": .unsigned(sequence)]) }
    }

    /// A car is there, or may come back within its grace period.
    var carPresent: Bool { session != nil || graceEnd != nil }

    /// Connects, serves, reconnects, for ever; returns when the task is cancelled, after the goodbyes.
    public func run() async throws {
        if let browser {
            try browser.start()
            finder.start(browser)
        }
        screen.warmUp()
        let clock = Task { [weak self] in await self?.keepClock() }
        defer {
            clock.cancel()
            finder.stop()
            browser?.stop()
        }
        events.emit("started", ["apps": .integer(Int64(host.applications.count))], narrated: false)
        do {
            while true {
                let session = try await connector.connect { [unowned self] in self.hello() }
                await serve(session)
            }
        } catch {
            events.emit("stopping", narrated: false)
            if let session {
                session.close(.goodbye, detail: "\(configuration.name) is shutting down")
                await session.ended()
            }
            if session != nil || graceEnd != nil { endSession(reason: "goodbye", evidence: ["local"]) }
            await host.shutdown()
            if !(error is CancellationError) { throw error }
        }
    }

    // MARK: Link

    private func hello() -> Hello {
        var hello = Hello()
        hello.versionMin = 1
        hello.versionMax = 1
        hello.name = configuration.name
        hello.software = "fascia-phone 0.1"
        hello.capabilities = [.semantics, .zstd, .animations].map { (capability: Capability) in UInt32(capability.rawValue) }
        hello.channels = [ChannelID.input, .vehicle, .semantics, .mainDisplay].map { UInt32($0.rawValue) }
        if let ticket = resume {
            hello.resume.sessionID = ticket.session
            hello.resume.token = ticket.token
            hello.resume.presentedSequence = screen.presentedSequence
        }
        return hello
    }

    private func serve(_ session: LinkSession) async {
        let welcome = session.welcome
        let resumed = welcome.hasResumed
        if resumed, resume?.session != welcome.sessionID {
            events.emit("connect-failed", ["code": "bad-message", "error": "the car resumed a session that this phone did not offer"])
            session.close(.badMessage, detail: "Welcome.resumed for a session that was not offered")
            return await session.ended()
        }
        self.session = session
        graceEnd?.cancel()
        graceEnd = nil
        if !resumed, resume != nil { endSession(reason: "the car began a new session", evidence: []) }
        resume = ResumeTicket(session: welcome.sessionID, token: welcome.resumeToken)
        events.emit(resumed ? "resumed" : "connected", [
            "car": .string(welcome.name), "address": .string(session.remote.address.description), "session": .hex(welcome.sessionID),
            "reason": resumed ? "resumed" : "hello", "evidence": ["welcome"],
        ])
        screen.attach(session)

        for await event in session.events {
            switch event {
            case .message(let channel, let type, let body): receive(channel: channel, type: type, body: body, from: session)
            case .late(let time): events.emit("late", ["waited_ns": .integer(Int64(clamping: time)), "reason": "probe", "evidence": ["lateAnswer"]])
            case .suspected(let evidence): events.emit("suspected", ["reason": .string(evidence.kind.rawValue), "evidence": [.string("\(evidence)")]])
            case .recovered(let silence): events.emit("recovered", ["silence_ms": .integer(Int64(silence / 1_000_000)), "reason": "bytes", "evidence": ["bytes"]])
            case .closed(let closure): closed(closure, grace: welcome.liveness.graceMs)
            }
        }
        // Cancelled: the session is still open, and `run` says goodbye on it.
        if !Task.isCancelled {
            screen.detach()
            self.session = nil
        }
    }

    private func receive(channel: UInt16, type: UInt16, body: [UInt8], from session: LinkSession) {
        do {
            if try !screen.receive(channel: channel, type: type, body: body) {
                log.debug("message 0x\(String(type, radix: 16)) on channel \(channel) is not for this phone")
            }
        } catch {
            session.close(.badMessage, detail: "message 0x\(String(type, radix: 16)): \(error)")
        }
    }

    private func closed(_ closure: LinkClosure, grace milliseconds: UInt32) {
        screen.detach()
        session = nil
        let evidence = EventValue.array(closure.evidence.map { .string("\($0)") })
        guard closure.code.sessionFate == .kept else {
            resume = nil
            return endSession(reason: "\(closure.code)", detail: closure.detail, evidence: evidence)
        }
        events.emit("suspended", ["reason": .string("\(closure.code)"), "detail": .string(closure.detail), "evidence": evidence])
        graceEnd = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(Int64(milliseconds)))
            guard !Task.isCancelled, let self else { return }
            self.resume = nil
            self.endSession(reason: "grace period over", evidence: evidence)
        }
    }

    /// The car is gone for good: every scene disconnects, exactly once.
    private func endSession(reason: String, detail: String = "", evidence: EventValue) {
        graceEnd?.cancel()
        graceEnd = nil
        events.emit("disconnected", ["reason": .string(reason), "detail": .string(detail), "evidence": evidence])
        for app in scenes.running {
            perform(scenes.carGone(app), for: app)
            screen.application(app, .disconnected)
        }
    }

    private func keepClock() async {
        if let tick = configuration.clockTick {
            while !Task.isCancelled {
                try? await Task.sleep(for: tick)
                screen.setClock("\(MonotonicClock.now() / 1_000_000)")
            }
        }
        while !Task.isCancelled {
            try? await Task.sleep(for: WallClock.untilNextMinute())
            screen.setClock(WallClock.shortTime())
        }
    }
}

/// What the next connection needs to go on with the session: the token is good once.
struct ResumeTicket {
    let session: Data
    let token: Data
}
