import AVFoundation

extension Notification.Name {
    static let playerDidChange = Notification.Name("PlayerDidChange")
}

/// Plays the queue.
final class Player {
    static let shared = Player()
    static let rates: [Float] = [1, 1.25, 1.5, 0.75]

    private(set) var queue = PlayQueue()
    private(set) var isPlaying = false
    private(set) var rate: Float = 1
    private(set) var recents: [Track] = []
    private(set) var likedIDs: Set<String> = []

    private var playback: Playback?
    private let session = AudioSession()

    private init() {
        session.interrupted = { [weak self] in self?.stopped() }
        session.mayResume = { [weak self] in self?.resume() }
        session.deviceGone = { [weak self] in self?.pause() }
        session.servicesReset = { [weak self] in self?.rebuild() }
    }

    var track: Track? { queue.current }
    var elapsed: TimeInterval { playback?.elapsed ?? 0 }

    // MARK: Playing

    func play(_ track: Track, in tracks: [Track]) {
        queue.replace(with: tracks.filter { Account.shared.canPlay($0) || $0 == track }, startingAt: track)
        start()
    }

    func jump(to track: Track) {
        queue.jump(to: track)
        start()
    }

    func resume() {
        guard let playback = playback, !isPlaying else { return }
        isPlaying = session.activate() && playback.play()
        changed()
    }

    func pause() {
        guard isPlaying else { return }
        playback?.pause()
        stopped()
    }

    func toggle() {
        if isPlaying { pause() } else { resume() }
    }

    func next() {
        if queue.advance() { start() } else { ended() }
    }

    func previous() {
        if elapsed < 3 { queue.goBack() }
        start()
    }

    func seek(to time: TimeInterval) {
        playback?.seek(to: max(0, min(time, track?.duration ?? 0)))
        changed()
    }

    // MARK: Modes

    func setRepeat(_ mode: RepeatMode) {
        queue.repeatMode = mode
        changed()
    }

    func cycleRepeat() { setRepeat(queue.repeatMode == .off ? .all : queue.repeatMode == .all ? .one : .off) }

    func setShuffle(_ shuffled: Bool) {
        queue.setShuffled(shuffled)
        changed()
    }

    func setRate(_ rate: Float) {
        self.rate = rate
        playback?.rate = rate
        changed()
    }

    func cycleRate() { setRate(Self.rates[((Self.rates.firstIndex(of: rate) ?? 0) + 1) % Self.rates.count]) }

    func toggleLike() {
        guard let id = track?.id else { return }
        if likedIDs.remove(id) == nil { likedIDs.insert(id) }
        changed()
    }

    // MARK: Inside

    private func start() {
        playback?.pause()
        playback = nil
        guard let track = track, let playback = makePlayback(track) else { return ended() }
        playback.rate = rate
        playback.didFinish = { [weak self] in self?.trackEnded() }
        self.playback = playback
        recents.removeAll { $0 == track }
        recents.insert(track, at: 0)
        recents = Array(recents.prefix(12))
        isPlaying = session.activate() && playback.play()
        changed()
    }

    private func makePlayback(_ track: Track) -> Playback? {
        switch track.sound {
        case .score(let score): return ScorePlayback(score: score)
        case .recording(let recording): return RecordingPlayback(recording: recording)
        }
    }

    private func trackEnded() {
        if queue.repeatMode == .one { return start() }
        next()
    }

    /// The queue is through: ready to play its last track again.
    private func ended() {
        playback?.pause()
        playback?.seek(to: 0)
        stopped()
        session.deactivate()
    }

    private func stopped() {
        isPlaying = false
        changed()
    }

    /// Everything of the audio system is gone and has to be made again.
    private func rebuild() {
        guard let track = track, let new = makePlayback(track) else { return }
        new.seek(to: elapsed)
        new.rate = rate
        new.didFinish = { [weak self] in self?.trackEnded() }
        playback = new
        stopped()
    }

    private func changed() {
        publishNowPlaying()
        NotificationCenter.default.post(name: .playerDidChange, object: self)
    }
}
