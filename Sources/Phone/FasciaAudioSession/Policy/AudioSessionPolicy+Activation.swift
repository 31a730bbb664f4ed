import FasciaSound

/// Becoming active and inactive, and what that does to others.
extension AudioSessionPolicy {
    /// Asks the car for main audio first where that is needed.
    mutating func activate(_ wish: PendingActivation) -> [PolicyOutput] {
        if let error = obstacle(wish) { return answer(wish, error) }
        let session = AppAudio(settings: wish.settings)
        guard hasCar, session.needsMainAudio else { return completed(wish) }
        if isAllowed(session) {
            // What the phone has is protected while somebody speaks.
            guard session.borrows, !hasBorrowed else { return completed(wish) }
            hasBorrowed = true
            return completed(wish) + [.ownership(.borrow(call: wish.settings.isCall))]
        }
        if wish.settings.mixes, !session.borrows {
            // Polite: it is active, and heard when nobody minds.
            var outputs = completed(wish)
            if mainAudio == .free { outputs.append(.ownership(.take(isUserInitiated: false))) }
            return outputs
        }
        let withdrawn = withdraw(wish.app)
        pending.append(wish)
        guard session.borrows else { return withdrawn + [.ownership(.take(isUserInitiated: true), for: wish.app)] }
        hasBorrowed = true
        return withdrawn + [.ownership(.borrow(call: wish.settings.isCall), for: wish.app)]
    }

    /// What an app waits for is overtaken by what it wants now. Every request has its answer.
    mutating func withdraw(_ app: AudioApp) -> [PolicyOutput] {
        let outputs = pending.filter { $0.app == app }.flatMap { answer($0, .cannotStartPlaying) }
        pending.removeAll { $0.app == app }
        return outputs
    }

    private func obstacle(_ wish: PendingActivation) -> AudioSessionError? {
        guard wish.settings.route != .navigation else { return nil }
        if apps.contains(where: { $0.key != wish.app && $0.value.isActive && $0.value.settings.isCall }) { return .insufficientPriority }
        guard hasCar else { return nil }
        if carStates.call { return wish.settings.isCall ? .insufficientPriority : .cannotInterruptOthers }
        if carStates.speech == .recognizing, wish.settings.category.records { return .siriIsRecording }
        return nil
    }

    private func answer(_ wish: PendingActivation, _ error: AudioSessionError?) -> [PolicyOutput] {
        wish.request.map { [.reply(wish.app, request: $0, error)] } ?? []
    }

    /// The session becomes active now.
    mutating func completed(_ wish: PendingActivation) -> [PolicyOutput] {
        let app = wish.app
        guard var session = apps[app] else { return [] }
        session.settings = wish.settings
        session.isActive = true
        session.isInterrupted = false
        session.interrupters = []
        session.wasSounding = false
        apps[app] = session
        var outputs: [PolicyOutput] = []
        for other in apps.keys.sorted() where other != app {
            guard let victim = apps[other], victim.isActive, interrupts(wish.settings, victim.settings) else { continue }
            outputs += interrupt(other, by: .app(app))
        }
        return outputs + answer(wish, nil)
    }

    private func interrupts(_ new: AudioSettings, _ other: AudioSettings) -> Bool {
        if new.isCall { return other.route != .navigation }
        if new.interruptsSpokenAudio, other.mode == .spokenAudio { return true }
        return !new.mixes && !other.mixes && other.route != .navigation
    }

    /// Takes the word from an active session. One that is interrupted already hears nothing new.
    mutating func interrupt(_ app: AudioApp, by interrupter: AppAudio.Interrupter) -> [PolicyOutput] {
        guard var session = apps[app], session.isActive else { return [] }
        defer { apps[app] = session }
        session.interrupters.insert(interrupter)
        guard !session.isInterrupted else { return [] }
        session.isInterrupted = true
        session.wasSounding = session.isSounding
        session.isSounding = false
        session.isListening = false
        pending.removeAll { $0.app == app && $0.request == nil } // the stream it was for ends here
        var by: AudioApp?
        if case .app(let name) = interrupter { by = name }
        return [.endStreams(app, .interrupted), .interruptionBegan(app, by: by)]
    }

    /// - Parameter tells: whether the app hears of it, should this be the last interruption.
    mutating func endInterruption(_ app: AudioApp, by interrupter: AppAudio.Interrupter, tells: Bool, mayResume: Bool) -> [PolicyOutput] {
        guard var session = apps[app], session.interrupters.remove(interrupter) != nil else { return [] }
        defer { apps[app] = session }
        guard session.interrupters.isEmpty, tells, session.isActive, session.isInterrupted else { return [] }
        session.isInterrupted = false
        return [.interruptionEnded(app, shouldResume: mayResume && session.wasSounding && isAllowed(session))]
    }

    mutating func deactivate(_ app: AudioApp, notifyOthers: Bool) -> [PolicyOutput] {
        guard var session = apps[app], session.isActive else { return [] }
        let wasRunning = session.isSounding || session.isListening
        session.isActive = false
        session.isInterrupted = false
        session.interrupters = []
        session.isSounding = false
        session.isListening = false
        apps[app] = session
        var outputs: [PolicyOutput] = wasRunning ? [.endStreams(app, .inactive)] : []
        for other in apps.keys.sorted() where other != app {
            outputs += endInterruption(other, by: .app(app), tells: notifyOthers, mayResume: true)
        }
        return outputs
    }
}
