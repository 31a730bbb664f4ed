/// One app's session, as the policy sees it.
struct AppAudio: Sendable {
    /// Who interrupts.
    enum Interrupter: Hashable, Sendable {
        case app(AudioApp)
        case car
    }

    var settings = AudioSettings.initial
    var isActive = false
    /// Of those, the ones that have not ended their interruption. May be empty in an interrupted session: the last one went without
    /// a word, and the app comes back when it makes its session active itself.
    var interrupters: Set<Interrupter> = []
    var isInterrupted = false
    /// Sound came out of its session when it was interrupted.
    var wasSounding = false
    /// Sound comes out of its session.
    var isSounding = false
    var isHinted = false
    /// Its microphone is open.
    var isListening = false

    /// Its streams may sound, as far as other apps are concerned.
    var isRunning: Bool { isActive && !isInterrupted }
    /// It needs the car's main audio: prompts do not.
    var needsMainAudio: Bool { settings.route != .navigation }
}

/// A request to become active that waits for the car.
struct PendingActivation: Sendable {
    let app: AudioApp
    /// Nil: a stream was started, and asks for nothing.
    let request: UInt64?
    let settings: AudioSettings
}
