import FasciaAppLink
import FasciaWire

extension TemplateUI {
    /// A track key held so long, in nanoseconds, seeks instead of changing the track, in apps that offer it.
    static let seekAfter: UInt64 = 500_000_000

    /// A track key that is down and may yet become a seek.
    struct HeldKey {
        let key: KeyEvent.Key
        let app: String
        /// When it starts to seek; nil once it does.
        var seeksAt: UInt64?
    }

    /// Steering-wheel and media keys work on every screen, and for the app that plays whichever is shown.
    public func key(_ event: KeyEvent, now: UInt64) {
        guard event.pressed else { return released(event.key) }
        ensureModel(now: now)
        switch event.key {
        case .home:
            if notice != nil { closeNotice() }
            goHome(now: now)
        case .back: goBack(now: now)
        case .voice: actions.append(.voice)
        case .play, .next, .previous, .stop, .shuffle, .repeat, .rate, .like, .dislike, .bookmark:
            guard let session = nowPlayingApp.flatMap({ sessions[$0] }), session.state == .connected else {
                actions.append(.playbackKey(event.key))
                return
            }
            let commands = session.commands
            switch event.key {
            case .next where commands.seekForward, .previous where commands.seekBackward:
                heldKey = HeldKey(key: event.key, app: session.id, seeksAt: now + Self.seekAfter)
            case .next, .previous: changeTrack(event.key, session)
            case .stop, .shuffle, .repeat, .rate, .like, .dislike, .bookmark: command(event.key, session)
            default: send(session.isPlaying ? (commands.pause || !commands.toggle ? .pause : .toggle) : (commands.play || !commands.toggle ? .play : .toggle), to: session)
            }
        case .unspecified, .UNRECOGNIZED: break
        }
    }

    private func changeTrack(_ key: KeyEvent.Key, _ session: AppSession) {
        let commands = session.commands
        if key == .next { send(commands.next || !commands.skipForward ? .next : .skipForward, to: session) } else {
            send(commands.previous || !commands.skipBackward ? .previous : .skipBackward, to: session)
        }
    }

    /// Keys for what has no place on every screen. What the app does not offer it does not hear of.
    private func command(_ key: KeyEvent.Key, _ session: AppSession) {
        let commands = session.commands
        switch key {
        case .stop where commands.stop: send(.stop, to: session)
        case .shuffle where commands.shuffleMode: send(.shuffle, value: commands.currentShuffle == 0 ? 1 : 0, to: session)
        case .repeat where commands.repeatMode: send(.repeat, value: commands.currentRepeat == 0 ? 2 : commands.currentRepeat == 2 ? 1 : 0, to: session) // off, all, one
        case .rate where commands.rate: if let rate = session.nextRate { send(.rate, value: rate, to: session) }
        case .like where commands.like: send(.like, to: session)
        case .dislike where commands.dislike: send(.dislike, to: session)
        case .bookmark where commands.bookmark: send(.bookmark, to: session)
        default: break
        }
    }

    private func send(_ kind: AppRemoteCommand.Kind, value: Double, to session: AppSession) {
        send(.with { $0.remoteCommand = .with { $0.kind = kind; $0.value = value } }, to: session)
    }

    private func released(_ key: KeyEvent.Key) {
        guard let held = heldKey, held.key == key else { return }
        heldKey = nil
        guard let session = sessions[held.app], session.state == .connected else { return }
        if held.seeksAt != nil { changeTrack(key, session) } else { send(key == .next ? .seekForwardEnd : .seekBackwardEnd, to: session) }
    }

    /// Begins the seek that is due.
    func advanceKeys(now: UInt64) {
        guard let held = heldKey, let due = held.seeksAt, now >= due else { return }
        heldKey?.seeksAt = nil
        guard let session = sessions[held.app], session.state == .connected else { return }
        send(held.key == .next ? .seekForwardBegin : .seekBackwardBegin, to: session)
    }
}

extension AppSession {
    /// The next faster of the rates it offers, after the fastest the slowest; nil where it offers none.
    var nextRate: Double? {
        let rates = commands.rates.prefix(16).filter { $0.isFinite && $0 > 0 && $0 <= 16 }.sorted()
        let info = nowPlaying, current = info.map { $0.rate > 0 ? $0.rate : $0.defaultRate } ?? 1
        return rates.first { $0 > current + 0.001 } ?? rates.first
    }

    /// Seconds that one skip goes.
    func skipInterval(forward: Bool) -> Double {
        let wanted = forward || commands.skipBackwardInterval == 0 ? commands.skipInterval : commands.skipBackwardInterval
        return wanted.isFinite && wanted > 0 ? wanted : 15
    }
}
