import FasciaEvents
import FasciaSound

extension HeadUnit {
    /// How long a changed volume is shown, nanoseconds.
    static let volumeTime: UInt64 = 2_000_000_000
    /// How long the sign of the open microphone has its words, nanoseconds.
    static let microphoneTime: UInt64 = 3_000_000_000

    /// - Parameter percent: 0 to 100.
    func setVolume(_ route: AudioRoute, percent: Int) {
        sound.setVolume(route, Double(percent) / 100)
        showVolume(route)
    }

    func setMute(_ route: AudioRoute, _ muted: Bool) {
        sound.setMute(route, muted)
        showVolume(route)
    }

    private func showVolume(_ route: AudioRoute) {
        model.sound.level = .init(route: route, percent: Int((sound.volume(route) * 100).rounded()), muted: sound.isMuted(route))
        volumeTimer.set(MonotonicClock.now() + Self.volumeTime)
        refresh()
    }

    func clearVolume() {
        model.sound.level = nil
        refresh()
    }

    /// Streams began or ended, or the microphone was opened or closed.
    func soundChanged() {
        for news in sound.takeNews() { events.emit(news.event, news.fields) }
        guard model.sound.listener != sound.listener else { return }
        showListener(sound.listener)
    }

    /// - Parameter listener: for whom the microphone is open; nil while it is closed.
    func showListener(_ listener: String?) {
        if model.sound.listener == nil || listener == nil {
            model.sound.isListenerNew = listener != nil
            microphoneTimer.set(listener == nil ? nil : MonotonicClock.now() + Self.microphoneTime)
        }
        model.sound.listener = listener
        refresh()
    }

    /// A call may take long, and words would cover what the driver wants to see or touch.
    func shrinkMicrophone() {
        model.sound.isListenerNew = false
        refresh()
    }

    /// `audio`: one line of JSON.
    func soundReport() -> String { Self.json(sound.report(owner: mainAudioOwner)) }

    /// Who has the main audio, in the words of `audio`.
    var mainAudioOwner: String { arbiter.mainAudio.holder.text }
}
