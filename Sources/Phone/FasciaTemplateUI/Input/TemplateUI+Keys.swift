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
        case .play, .next, .previous:
            guard let session = nowPlayingApp.flatMap({ sessions[$0] }), session.state == .connected else {
                actions.append(.playbackKey(event.key))
                return
            }
            let commands = session.commands
            switch event.key {
            case .next where commands.seekForward, .previous where commands.seekBackward:
                heldKey = HeldKey(key: event.key, app: session.id, seeksAt: now + Self.seekAfter)
            case .next, .previous: changeTrack(event.key, session)
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
    /// Seconds that one skip goes.
    func skipInterval(forward: Bool) -> Double {
        let wanted = forward || commands.skipBackwardInterval == 0 ? commands.skipInterval : commands.skipBackwardInterval
        return wanted.isFinite && wanted > 0 ? wanted : 15
    }
}
