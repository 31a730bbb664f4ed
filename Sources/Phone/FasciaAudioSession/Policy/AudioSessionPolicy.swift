import FasciaSound

/// Decides which of the phone's apps may sound, and what they do to each other, as `AVAudioSession` does on iOS. Knows no socket and
/// no clock.
///
/// ```
///                    request (active)             another becomes active, the car takes main audio
///   inactive <---------------------------> active ------------------------------------> interrupted
///                request, gone                ^    the last interrupter ends,                |
///                                             +--- or the app makes itself active -----------+
/// ```
/// A session that becomes active and does not mix interrupts those that do not mix. A call interrupts all but prompts, and while there
/// is one nothing else becomes active. Who may sound in the car at all is the car's to say: a session that needs main audio waits for it.
public struct AudioSessionPolicy: Sendable {
    var apps: [AudioApp: AppAudio] = [:]
    var pending: [PendingActivation] = []
    var mainAudio = MainAudio.held
    var hasCar = false
    var hasBorrowed = false
    var states = AudioStates()
    var carStates = AudioStates()

    public init() {}

    // MARK: Questions

    /// Where streams of an app's session go.
    public func route(_ app: AudioApp) -> AudioRoute { (apps[app]?.settings ?? .initial).route }

    /// Whether an app's session is active and not interrupted, and main audio is there for it.
    public func maySound(_ app: AudioApp) -> Bool {
        guard let session = apps[app], session.isRunning else { return false }
        return isAllowed(session)
    }

    /// Whether streams of an app lower those of others.
    public func ducksOthers(_ app: AudioApp) -> Bool { apps[app].map { $0.isRunning && $0.settings.ducksOthers } ?? false }

    /// Whether an app may have the microphone: in a call, or as an assistant, but not beside music or as a prompt.
    public func mayListen(_ app: AudioApp) -> Bool { apps[app].map { $0.settings.category.records && $0.borrows } == true && maySound(app) }

    /// Activations wait for the car's answer.
    public var isWaiting: Bool { !pending.isEmpty }

    /// What an app's session is set to.
    public func settings(_ app: AudioApp) -> AudioSettings { (apps[app] ?? AppAudio()).settings }

    // MARK: Inputs from apps

    /// There is an app, which hears of routes from now on.
    public mutating func appeared(_ app: AudioApp) { apps[app] = apps[app] ?? AppAudio() }

    /// An app sent its session's state.
    public mutating func request(_ app: AudioApp, number: UInt64, active: Bool, settings: AudioSettings, notifyOthers: Bool = false) -> [PolicyOutput] {
        let was = apps[app] ?? AppAudio()
        guard active else {
            apps[app] = was
            var outputs = withdraw(app) + (was.isActive ? deactivate(app, notifyOthers: notifyOthers) : [])
            apps[app]?.settings = settings
            outputs.append(.reply(app, request: number, nil))
            return outputs + settle()
        }
        apps[app] = was
        return activate(PendingActivation(app: app, request: number, settings: settings)) + settle()
    }

    /// An app starts a stream of its session, which becomes active by that. A stream that may not sound yet may later: see ``maySound(_:)``.
    public mutating func streamStarted(_ app: AudioApp) -> [PolicyOutput] {
        let session = apps[app] ?? AppAudio()
        apps[app] = session
        guard !maySound(app) else { return [] }
        return activate(PendingActivation(app: app, request: nil, settings: session.settings)) + settle()
    }

    /// Sound began or ceased to come from an app's session.
    public mutating func sounding(_ app: AudioApp, _ isSounding: Bool) -> [PolicyOutput] {
        guard let session = apps[app], session.isSounding != isSounding else { return [] }
        apps[app]?.isSounding = isSounding
        // It played before there was a car, or before the car let go.
        let wants = isSounding && hasCar && mainAudio == .free && session.isRunning && session.needsMainAudio
        return (wants ? [.ownership(.take(isUserInitiated: false))] : []) + settle()
    }

    /// An app's microphone was opened or closed.
    public mutating func listening(_ app: AudioApp, _ isListening: Bool) -> [PolicyOutput] {
        guard let session = apps[app], session.isListening != isListening else { return [] }
        apps[app]?.isListening = isListening
        return settle()
    }

    /// The app's process, or its socket, is gone: as if it had made its session inactive and told others.
    public mutating func gone(_ app: AudioApp) -> [PolicyOutput] {
        guard apps[app] != nil else { return [] }
        pending.removeAll { $0.app == app }
        let outputs = deactivate(app, notifyOthers: true).filter { $0 != .endStreams(app, .inactive) }
        apps[app] = nil
        return outputs + settle()
    }

    // MARK: Steps

    /// What follows from the state alone: hints, states, what was borrowed.
    mutating func settle() -> [PolicyOutput] {
        var outputs: [PolicyOutput] = []
        for (app, session) in apps.sorted(by: { $0.key < $1.key }) {
            let hinted = session.isRunning && session.settings.mixes && apps.contains { $0.key != app && $0.value.isRunning && !$0.value.settings.mixes && $0.value.isSounding }
            if hinted != session.isHinted {
                apps[app]?.isHinted = hinted
                outputs.append(.hint(app, begin: hinted))
            }
        }
        let running = apps.values.filter(\.isRunning)
        var now = AudioStates(call: running.contains(where: \.settings.isCall))
        if running.contains(where: { $0.isSounding && $0.settings.route == .navigation }) { now.speech = .speaking }
        if running.contains(where: { $0.isListening && $0.settings.route == .assistant }) { now.speech = .recognizing }
        if now != states {
            states = now
            outputs.append(.states(now))
        }
        let wantsLoan = apps.values.contains { $0.isActive && $0.borrows } || pending.contains { $0.settings.route.borrows }
        if hasBorrowed, !wantsLoan {
            hasBorrowed = false
            outputs.append(.ownership(.giveBack))
        }
        return outputs
    }

    func isAllowed(_ session: AppAudio) -> Bool {
        guard session.needsMainAudio else { return true }
        return switch mainAudio {
        case .held: true
        case .borrowed: session.borrows
        case .free, .lost: false
        }
    }
}

extension AppAudio {
    /// Uses main audio for a while only.
    var borrows: Bool { settings.route.borrows }
}

extension AudioRoute {
    var borrows: Bool { self == .telephony || self == .assistant }
}
