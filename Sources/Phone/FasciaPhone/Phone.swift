import FasciaAppHost
import FasciaAppLink
import FasciaCarrier
import FasciaDiscovery
import FasciaEvents
import FasciaEvidence
import FasciaLink
import FasciaPaint
import FasciaSession
import FasciaTLS
import FasciaTemplateUI
import FasciaTrust
import FasciaWire
import Foundation
import Logging

/// The phone: apps behind it, a car in front of it, the template UI in between.
///
/// ```
///   AppHost <--messages--> TemplateUI (in ScreenLoop) <--input, states--> LinkSession <-- CarDialer <-- CarFinder
///                                                                             ^              ^
///                                                       PhoneSessionMachine --+- says which -+- says when
/// ```
/// Everything here runs on the main actor; no step of it waits for app code, so a hanging app never holds the link.
@MainActor
public final class Phone {
    /// Short: an attempt that began while the link was cut must not hold up the next one.
    private static let timeouts = CarrierTimeouts(connect: .seconds(2), handshake: .milliseconds(1500))

    let configuration: PhoneConfiguration
    let host: AppHost
    let screen: ScreenLoop
    let dialer: CarDialer
    let finder: CarFinder
    let trust: TrustStore
    let events: EventLog
    let log: Logger
    /// Who has the car's screen and main audio.
    let ownership: PhoneOwnership
    var scenes = SceneLifecycle()
    var machine = PhoneSessionMachine(generator: SeededGenerator(seed: .random(in: 0 ... .max)))
    /// Connections that are up, by the numbers the machine knows them by.
    var links: [LinkID: LinkSession] = [:]
    /// What the attempt that is ending said, while it is being dealt with.
    var passes: [LinkID: FlightPass] = [:]
    let flights: FlightBox
    /// The way the connection takes out of this machine.
    var path: LinkPath?
    let sources: EvidenceSources
    let sound: SoundEngine
    private let browser: Browser?
    private lazy var alarm = DeadlineTimer { [weak self] in self?.sessionDeadlineReached() }
    /// How `run` ends other than by cancellation.
    private var fatal: (any Error)?
    private var ending: CheckedContinuation<Void, Never>?

    /// - Throws: what is wrong with fonts, state directory or network, in words for the user.
    public init(_ configuration: PhoneConfiguration, state: StateDirectory, events: EventLog, log: Logger) throws {
        self.configuration = configuration
        self.events = events
        self.log = log
        ownership = PhoneOwnership(events: events)
        trust = try TrustStore(state)
        let identity = try Identity.loadOrCreate(in: state)
        host = AppHost(bundles: configuration.apps, budgets: configuration.budgets, reports: ReportStore(directory: state.path + "/reports"), log: log)
        screen = ScreenLoop(interface: TemplateUI(painter: try Painter(), traits: ScreenTraits()), events: events)
        finder = CarFinder(car: configuration.car, trust: trust, events: events)
        flights = FlightBox(FlightBox.Content(flight: FirstFlight(hello: Self.hello(configuration))))
        dialer = CarDialer(configuration: configuration, finder: finder, dialer: try LinkDialer(identity: identity, trust: trust, log: log, timeouts: Self.timeouts, tickets: configuration.tickets),
                           box: flights, events: events, log: log)
        sources = EvidenceSources(powerHint: configuration.powerHint, logger: log)
        sound = try SoundEngine(prefersOpus: configuration.prefersOpus, events: events)
        if case .named = configuration.car {
            browser = Browser(options: try .resolve(environment: ProcessInfo.processInfo.environment), logger: log)
        } else {
            browser = nil
        }
        screen.interface.setApplications(host.applications.map { HomeApplication(id: $0.id, name: $0.name, icon: $0.icon()) })
        host.onEvent = { [weak self] id, event in self?.appEvent(id, event) }
        screen.onTurn = { [weak self] in self?.takeActions() }
        screen.onShown = { [weak self] in self?.prepareFlight() }
        screen.onFirstFrame = { [weak self] sequence in self?.firstFrame(sequence) }
        ownership.onMainAudio = { [sound] in sound.post(.mainAudio($0)) }
        ownership.onRefused = { [sound] in sound.post(.mainAudioRefused(to: $0)) }
        ownership.onCarStates = { [sound] in sound.post(.carStates($0)) }
        ownership.onScreen = { [weak self] hasScreen in self?.screen.hasScreen = hasScreen }
        dialer.onOutcome = { [weak self] link, outcome in self?.dialEnded(link, outcome) }
        screen.onPublish = { [weak self] in self?.flights.forgetMessages() }
        finder.onFound = { [weak self] in
            self?.perform { $0.opportunity(now: $1) }
            self?.keepReflex(renewed: true)
        }
        finder.onGone = { [weak self] in self?.perform { $0.evidence(.mdnsGoodbye, now: $1) } }
    }

    /// A car is there, or may come back within its grace period.
    var carPresent: Bool { machine.hasSession }

    /// Connects, serves, reconnects, for ever; returns when the task is cancelled, after the goodbyes.
    public func run() async throws {
        if let browser {
            try browser.start()
            finder.start(browser)
        }
        sources.start()
        sound.start { [weak self] report in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.soundReport(report) } } // in order, as tasks need not be
        }
        screen.warmUp()
        let tasks = [Task { [weak self] in await self?.keepClock() }, Task { [weak self] in await self?.watchTrust() }, Task { [weak self] in await self?.watchEvidence() }]
        events.emit("started", ["apps": .integer(Int64(host.applications.count))], narrated: false)
        perform { $0.start(now: $1) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                if Task.isCancelled || fatal != nil { continuation.resume() } else { ending = continuation }
            }
        } onCancel: {
            Task { @MainActor [weak self] in self?.end(nil) }
        }
        events.emit("stopping", narrated: false)
        for task in tasks { task.cancel() }
        finder.stop()
        browser?.stop()
        sources.stop()
        let session = machine.link.flatMap { links[$0] }
        perform { machine, _ in machine.stop(detail: "\(configuration.name) is shutting down") }
        alarm.set(nil)
        await session?.ended()
        await host.shutdown()
        sound.post(.stop)
        if let fatal { throw fatal }
    }

    /// Ends `run`.
    func end(_ error: (any Error)?) {
        fatal = fatal ?? error
        ending?.resume()
        ending = nil
    }

    /// To be called after every input of the machine.
    func watchSession() { alarm.set(machine.nextDeadline) }

    private func sessionDeadlineReached() { perform { $0.deadlineReached(now: $1) } }

    private func keepClock() async {
        if let tick = configuration.clockTick {
            while !Task.isCancelled {
                try? await Task.sleep(for: tick)
                screen.setClock("\(MonotonicClock.now() / 1_000_000)")
            }
        }
        while !Task.isCancelled {
            try? await Task.sleep(nanoseconds: WallClock.read().validFor)
            screen.setClock(WallClock.read().clock)
        }
    }
}
