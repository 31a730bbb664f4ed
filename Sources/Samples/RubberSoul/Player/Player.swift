import Foundation
import MediaPlayer

extension Notification.Name {
    static let playerDidChange = Notification.Name("PlayerDidChange")
}

/// Plays a queue of songs. This sample has no sound: it keeps time as a player would.
final class Player {
    static let shared = Player()

    private(set) var queue: [Song] = []
    private(set) var position = 0
    private(set) var isPlaying = false
    private(set) var rate: Float = 1
    private(set) var repeatType = MPRepeatType.off

    private var elapsedBefore: TimeInterval = 0
    private var startedAt = Date()
    private var endTimer: Timer?

    var currentSong: Song? {
        queue.indices.contains(position) ? queue[position] : nil
    }

    var upNext: [Song] {
        Array(queue.dropFirst(position + 1))
    }

    var elapsed: TimeInterval {
        let running = isPlaying ? Date().timeIntervalSince(startedAt) * TimeInterval(rate) : 0
        return min(elapsedBefore + running, currentSong?.duration ?? 0)
    }

    func play(_ song: Song, in songs: [Song]) {
        queue = songs
        position = songs.firstIndex(of: song) ?? 0
        start(at: 0)
    }

    func resume() {
        guard currentSong != nil, !isPlaying else { return }
        start(at: elapsed)
    }

    func pause() {
        guard isPlaying else { return }
        elapsedBefore = elapsed
        isPlaying = false
        changed()
    }

    func next() {
        if repeatType == .all && position + 1 >= queue.count {
            position = 0
        } else if position + 1 < queue.count {
            position += 1
        } else {
            return stop()
        }
        start(at: 0)
    }

    func previous() {
        if elapsed < 3 && position > 0 {
            position -= 1
        }
        start(at: 0)
    }

    func seek(to time: TimeInterval) {
        elapsedBefore = max(0, min(time, currentSong?.duration ?? 0))
        startedAt = Date()
        changed()
    }

    func clearQueue() {
        queue = currentSong.map { [$0] } ?? []
        position = 0
        changed()
    }

    func cycleRate() {
        let rates: [Float] = [1, 1.25, 1.5, 0.75]
        elapsedBefore = elapsed
        startedAt = Date()
        rate = rates[((rates.firstIndex(of: rate) ?? 0) + 1) % rates.count]
        changed()
    }

    func cycleRepeat() {
        switch repeatType {
        case .off: repeatType = .all
        case .all: repeatType = .one
        default: repeatType = .off
        }
        changed()
    }

    private func start(at time: TimeInterval) {
        elapsedBefore = time
        startedAt = Date()
        isPlaying = true
        changed()
    }

    private func stop() {
        elapsedBefore = 0
        isPlaying = false
        changed()
    }

    private func songEnded() {
        if repeatType == .one {
            start(at: 0)
        } else {
            next()
        }
    }

    private func changed() {
        scheduleEnd()
        publishNowPlaying()
        NotificationCenter.default.post(name: .playerDidChange, object: self)
    }

    private func scheduleEnd() {
        endTimer?.invalidate()
        guard isPlaying, let song = currentSong else { return }
        let remaining = max(0.1, (song.duration - elapsed) / TimeInterval(rate))
        endTimer = Timer.scheduledTimer(withTimeInterval: remaining, repeats: false) { [weak self] _ in
            self?.songEnded()
        }
    }
}
