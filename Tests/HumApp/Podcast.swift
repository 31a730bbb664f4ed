import AVFoundation
import MediaPlayer

/// Plays one episode, the file HUM_EPISODE, and prints every remote command that it gets.
final class Podcast {
    private let player: AVAudioPlayer?
    private var liked = false

    init() {
        player = try? AVAudioPlayer(contentsOf: URL(fileURLWithPath: ProcessInfo.processInfo.environment["HUM_EPISODE"] ?? ""))
        player?.enableRate = true
        let center = MPRemoteCommandCenter.shared()
        add(center.togglePlayPauseCommand, "toggle") { podcast, _ in podcast.toggle() }
        add(center.stopCommand, "stop") { podcast, _ in podcast.pause() }
        center.skipForwardCommand.preferredIntervals = [4]
        center.skipBackwardCommand.preferredIntervals = [2]
        for (command, name, sign) in [(center.skipForwardCommand, "skip forward", 1.0), (center.skipBackwardCommand, "skip backward", -1)] {
            add(command, name) { podcast, event in podcast.skip(sign * ((event as? MPSkipIntervalCommandEvent)?.interval ?? 0)) }
        }
        center.changePlaybackRateCommand.supportedPlaybackRates = [1, 2]
        add(center.changePlaybackRateCommand, "rate") { podcast, event in podcast.player?.rate = (event as? MPChangePlaybackRateCommandEvent)?.playbackRate ?? 1 }
        add(center.seekForwardCommand, "seek") { _, event in print("seek \((event as? MPSeekCommandEvent).map { "\($0.type)" } ?? "")") }
        add(center.changeShuffleModeCommand, "shuffle") { _, event in
            center.changeShuffleModeCommand.currentShuffleType = (event as? MPChangeShuffleModeCommandEvent)?.shuffleType ?? .off
        }
        add(center.changeRepeatModeCommand, "repeat") { _, event in
            center.changeRepeatModeCommand.currentRepeatType = (event as? MPChangeRepeatModeCommandEvent)?.repeatType ?? .off
        }
        add(center.likeCommand, "like") { _, event in
            center.likeCommand.isActive = (event as? MPFeedbackCommandEvent)?.isNegative == false
            print("liked \(center.likeCommand.isActive)")
        }
        add(center.dislikeCommand, "dislike") { _, _ in }
        add(center.bookmarkCommand, "bookmark") { _, _ in }
    }

    private func add(_ command: MPRemoteCommand, _ name: String, _ action: @escaping (Podcast, MPRemoteCommandEvent) -> Void) {
        command.addTarget { [weak self] event in
            print("command \(name)")
            guard let self else { return .commandFailed }
            action(self, event)
            self.publish()
            return .success
        }
    }

    func toggle() {
        if player?.isPlaying == true { player?.pause() } else { player?.play() }
        publish()
    }

    func pause() {
        player?.pause()
        publish()
    }

    private func skip(_ seconds: TimeInterval) { player.map { $0.currentTime += seconds } }

    private func publish() {
        guard let player else { return }
        MPNowPlayingInfoCenter.default().nowPlayingInfo = [
            MPMediaItemPropertyTitle: "Episode", MPMediaItemPropertyPlaybackDuration: player.duration, MPNowPlayingInfoPropertyElapsedPlaybackTime: player.currentTime,
            MPNowPlayingInfoPropertyPlaybackRate: player.isPlaying ? player.rate : 0, MPNowPlayingInfoPropertyDefaultPlaybackRate: player.rate,
        ]
        MPNowPlayingInfoCenter.default().playbackState = player.isPlaying ? .playing : .paused
    }
}
