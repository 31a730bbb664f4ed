import FasciaLink
import FasciaSession
import FasciaWire

/// A phone with apps, a car, and the network between them, in virtual time: the real link machines, session machines and scene
/// lifecycle, with everything around them made up. The same seed does the same.
public final class SimulatedWorld {
    typealias End = SimulatedConnection.End

    /// What the world is like; times in nanoseconds.
    public struct Settings: Sendable {
        public var grace: UInt64 = 2_000_000_000
        public var liveness = Liveness()
        public var latency: UInt64 = 2_000_000
        public var jitter: UInt64 = 0
        public var lossPermille = 0
        /// Longest a handler may take before its process is ended.
        public var handlerBudget: UInt64 = 1_000_000_000
        public init() {}
    }

    static let millisecond: UInt64 = 1_000_000
    static let apps = ["Rubber Soul", "Chaos"]
    /// Until everything has come together again when nothing is broken: a dead link, a waiting back-off, an attempt, a Welcome lost.
    public static let bound: UInt64 = 12_000_000_000

    public let settings: Settings
    var random: SeededGenerator
    private var time = VirtualTime()
    var network: SimulatedNetwork
    var connections: [SimulatedConnection] = []

    var phone: PhoneSessionMachine?
    var scenes = SceneLifecycle()
    var processes: [String: SimulatedApp] = [:]
    /// Attempts that have no connection yet.
    var attempts: [LinkID: DialUrgency] = [:]
    var attached: LinkID?
    var phoneLife = 0
    var phoneWakesAt: UInt64 = .max

    var car: CarSessionMachine<Void>?
    var carAttached: LinkID?
    var carLife = 0
    var lastCarLink = LinkID(rawValue: 0)
    var carWakesAt: UInt64 = .max
    var lastPid: Int32 = 0

    /// Scenes that were announced as connected and not yet as disconnected.
    var announced: [String: UInt64] = [:]
    /// Apps that have the screen they were given: choosing one brings it forward and asks nothing of it.
    var shown: Set<String> = []
    var lastLoss: UInt64?
    /// Tokens by which a session was resumed, and whether the phone was heard since.
    var redeemed: [[UInt8]: Bool] = [:]
    /// For the check that can fail: makes the lifecycle lie.
    public var sabotage: Sabotage?
    /// For the connections that come.
    var nextBreaks: [(from: End, bytes: Int, how: SimulatedConnection.Break)] = []
    /// For the processes that come.
    var tempers: [SimulatedApp.Temper] = []
    public internal(set) var violations: [String] = []
    public internal(set) var counts = Counts()

    /// Deliberate mistakes, to see them found.
    public enum Sabotage: Sendable { case doubleDisconnect, missedDisconnect, lateCallback, deadlineIgnored, tokenTakenTwice }

    public struct Counts: Sendable, Equatable {
        public var sessions = 0, resumes = 0, sceneConnects = 0, sceneDisconnects = 0, suspicions = 0, races = 0, sessionEnds = 0, steps = 0
    }

    public init(seed: UInt64, settings: Settings = Settings()) {
        self.settings = settings
        random = SeededGenerator(seed: seed)
        network = SimulatedNetwork(latency: settings.latency, jitter: settings.jitter, lossPermille: settings.lossPermille)
        startCar()
        startPhone()
    }

    public var now: UInt64 { time.now }

    func violate(_ text: String) { violations.append("\(now / Self.millisecond) ms: \(text)") }

    func after(_ nanoseconds: UInt64, _ body: @escaping () -> Void) { time.add(at: time.now + nanoseconds, body) }

    /// Lets `nanoseconds` pass.
    public func run(for nanoseconds: UInt64) { _ = run(for: nanoseconds) { false } }

    /// - Returns: whether `condition` came true within `nanoseconds`.
    public func run(for nanoseconds: UInt64, until condition: () -> Bool) -> Bool {
        let end = time.now + nanoseconds
        while !condition() {
            guard let body = time.take(until: end) else { return condition() }
            body()
            wake()
            counts.steps += 1
            if !violations.isEmpty { return false }
        }
        return true
    }

    /// Sees to the session machines' deadlines.
    private func wake() {
        if sabotage != .deadlineIgnored, let deadline = phone?.nextDeadline, deadline < phoneWakesAt || phoneWakesAt <= now {
            phoneWakesAt = deadline
            let life = phoneLife
            time.add(at: deadline) { [unowned self] in
                if life == phoneLife, let reaction = phone?.deadlineReached(now: now) { perform(reaction.actions) }
            }
        }
        if let deadline = car?.nextDeadline, deadline < carWakesAt || carWakesAt <= now {
            carWakesAt = deadline
            let life = carLife
            time.add(at: deadline) { [unowned self] in if life == carLife, let reaction = car?.deadlineReached(now: now) { perform(car: reaction.actions) } }
        }
        check()
    }

    /// What holds after every step.
    private func check() {
        if case .suspended(let suspension) = phone?.state, now > suspension.graceEnd { violate("the phone keeps a session beyond its grace time") }
        if let link = phone?.link, attached != link { violate("the screen is at \(attached.map(\.description) ?? "no link"), the session at \(link)") }
        if phone?.link == nil, attached != nil { violate("the screen is at a link that has no session") }
    }

    /// Both ends say the same session on a connection that both have.
    public var isTogether: Bool {
        guard case .connected(let own)? = phone?.state, own.doubt == .none, own.race == nil, let car, let link = car.link, car.holder?.session == own.ticket.session
        else { return false }
        return connections.contains { $0.phoneLink == own.link && $0.carLink == link && $0.phone.isOpen && $0.car.isOpen }
    }

    /// Apps and phone say the same of every scene, and no handler runs.
    public var areScenesQuiet: Bool {
        processes.values.allSatisfy { !$0.isBusy && $0.inbox.isEmpty } && Self.apps.allSatisfy { app in
            if shown.contains(app) != scenes.isConnected(app) { return false }
            return switch scenes[app] {
            case .absent: processes[app] == nil && announced[app] == nil
            case .idle: processes[app]?.diary.isConnected == false && announced[app] == nil
            case .connected(let scene): processes[app]?.diary.isConnected == true && announced[app] == scene
            case .starting, .connecting, .disconnecting: false
            }
        }
    }
}
