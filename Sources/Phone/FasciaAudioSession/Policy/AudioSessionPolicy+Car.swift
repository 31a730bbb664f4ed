/// The car comes, goes, and disposes of main audio.
extension AudioSessionPolicy {
    /// A new session with a car has begun. Not for a connection that goes on with one.
    /// - Parameter mainAudio: as far as is known.
    public mutating func carConnected(mainAudio: MainAudio = .held) -> [PolicyOutput] {
        guard !hasCar else { return [] }
        hasCar = true
        let outputs = apps.keys.sorted().map { PolicyOutput.routeChange($0, .newDeviceAvailable) }
        return outputs + self.mainAudio(mainAudio)
    }

    /// The session with the car is over. Apps stop playing for that route change, as on iOS when headphones are pulled out.
    public mutating func carDisconnected() -> [PolicyOutput] {
        guard hasCar else { return [] }
        mainAudio = .lost(lent: false) // what it had lent does not come back to play on
        let outputs = mainAudio(.held)
        hasCar = false
        hasBorrowed = false
        carStates = AudioStates()
        return outputs + apps.keys.sorted().map { .routeChange($0, .oldDeviceUnavailable) } + settle()
    }

    /// Main audio changed hands. Without a car it is the phone's own.
    public mutating func mainAudio(_ new: MainAudio) -> [PolicyOutput] {
        guard hasCar else { return [] }
        let old = mainAudio
        let were = Set(apps.filter { isAllowed($0.value) || old == .free }.keys)
        mainAudio = new
        var outputs: [PolicyOutput] = []
        for app in apps.keys.sorted() {
            guard let session = apps[app], session.isActive, session.needsMainAudio else { continue }
            if isAllowed(session) || new == .free {
                outputs += endInterruption(app, by: .car, tells: true, mayResume: old == .lost(lent: true))
            } else if were.contains(app) {
                outputs += interrupt(app, by: .car)
            }
        }
        outputs += completePending()
        if new == .free, old != .free, apps.values.contains(where: { $0.isRunning && $0.isSounding && $0.needsMainAudio }) {
            outputs.append(.ownership(.take(isUserInitiated: false)))
        }
        return outputs + settle()
    }

    /// In the order they asked: the last has the word.
    private mutating func completePending() -> [PolicyOutput] {
        var outputs: [PolicyOutput] = []
        while let index = pending.firstIndex(where: { isAllowed(AppAudio(settings: $0.settings)) }) { outputs += completed(pending.remove(at: index)) }
        return outputs
    }

    /// The car has refused main audio to an app that waits for it. What others wait for has an answer of its own.
    public mutating func mainAudioRefused(to app: AudioApp) -> [PolicyOutput] { failPending(.cannotInterruptOthers) { $0.app == app } }

    /// The car has not answered in time.
    public mutating func mainAudioUnanswered() -> [PolicyOutput] {
        let takes = pending.contains { !$0.settings.route.borrows }
        return (takes ? [.ownership(.withdraw)] : []) + failPending(.cannotStartPlaying) { _ in true }
    }

    private mutating func failPending(_ error: AudioSessionError, where fails: (PendingActivation) -> Bool) -> [PolicyOutput] {
        let outputs: [PolicyOutput] = pending.filter(fails).compactMap { wish in wish.request.map { .reply(wish.app, request: $0, error) } }
        pending.removeAll(where: fails)
        return outputs + settle()
    }

    /// What the car is doing that the phone may not do too.
    public mutating func carStates(_ new: AudioStates) -> [PolicyOutput] {
        carStates = new
        return settle()
    }
}
