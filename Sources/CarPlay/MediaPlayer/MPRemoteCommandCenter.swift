import FasciaAppLink
import FasciaAppRuntime
import Foundation

/// The commands of the car's media keys and Now Playing screen.
open class MPRemoteCommandCenter: NSObject, @unchecked Sendable {
    private static let instance = MPRemoteCommandCenter()

    open class func shared() -> MPRemoteCommandCenter { instance }

    public let playCommand = MPRemoteCommand()
    public let pauseCommand = MPRemoteCommand()
    public let togglePlayPauseCommand = MPRemoteCommand()
    public let stopCommand = MPRemoteCommand()
    public let nextTrackCommand = MPRemoteCommand()
    public let previousTrackCommand = MPRemoteCommand()
    public let seekForwardCommand = MPRemoteCommand()
    public let seekBackwardCommand = MPRemoteCommand()
    public let enableLanguageOptionCommand = MPRemoteCommand()
    public let disableLanguageOptionCommand = MPRemoteCommand()
    public let skipForwardCommand = MPSkipIntervalCommand()
    public let skipBackwardCommand = MPSkipIntervalCommand()
    public let ratingCommand = MPRatingCommand()
    public let likeCommand = MPFeedbackCommand()
    public let dislikeCommand = MPFeedbackCommand()
    public let bookmarkCommand = MPFeedbackCommand()
    public let changePlaybackRateCommand = MPChangePlaybackRateCommand()
    public let changePlaybackPositionCommand = MPChangePlaybackPositionCommand()
    public let changeRepeatModeCommand = MPChangeRepeatModeCommand()
    public let changeShuffleModeCommand = MPChangeShuffleModeCommand()

    private override init() {
        super.init()
        DispatchQueue.main.async {
            MainActor.assumeIsolated { MPRemoteCommandCenter.shared().attach(to: AppSession.shared) }
            // What was set up before, in the turn in which a scene connected, may have been due already, with nobody here to say it.
            PendingChanges.shared.remoteCommandsChanged()
        }
    }

    @MainActor
    package func attach(to session: AppSession) {
        session.remoteCommands = { [self] in encode() }
        session.remoteCommandHandler = { [self] in handle($0) }
    }

    package func encode() -> AppRemoteCommands {
        var message = AppRemoteCommands()
        message.play = playCommand.isOffered
        message.pause = pauseCommand.isOffered
        message.toggle = togglePlayPauseCommand.isOffered
        message.next = nextTrackCommand.isOffered
        message.previous = previousTrackCommand.isOffered
        message.stop = stopCommand.isOffered
        message.repeatMode = changeRepeatModeCommand.isOffered
        message.shuffleMode = changeShuffleModeCommand.isOffered
        message.rate = changePlaybackRateCommand.isOffered
        message.skipForward = skipForwardCommand.isOffered
        message.skipBackward = skipBackwardCommand.isOffered
        message.seek = changePlaybackPositionCommand.isOffered
        message.currentRepeat = UInt32(changeRepeatModeCommand.currentRepeatType.rawValue)
        message.currentShuffle = UInt32(changeShuffleModeCommand.currentShuffleType.rawValue)
        message.skipInterval = (skipForwardCommand.preferredIntervals.first ?? 10).doubleValue
        message.skipBackwardInterval = (skipBackwardCommand.preferredIntervals.first ?? 10).doubleValue
        message.seekForward = seekForwardCommand.isOffered
        message.seekBackward = seekBackwardCommand.isOffered
        message.like = likeCommand.isOffered
        message.dislike = dislikeCommand.isOffered
        message.bookmark = bookmarkCommand.isOffered
        message.rates = changePlaybackRateCommand.supportedPlaybackRates.prefix(16).map(\.doubleValue).filter { $0.isFinite && $0 > 0 }
        return message
    }

    /// Calls the app; a status other than success is said on standard error, where the phone's log shows it.
    package func handle(_ command: AppRemoteCommand) {
        guard let status = deliver(command), status != .success else { return }
        printError("remote command \(command.kind): \(status)")
    }

    private func deliver(_ command: AppRemoteCommand) -> MPRemoteCommandHandlerStatus? {
        let value = command.value.isFinite ? command.value : 0
        switch command.kind {
        case .play: return send(playCommand)
        case .pause: return send(pauseCommand)
        case .toggle: return send(togglePlayPauseCommand)
        case .next: return send(nextTrackCommand)
        case .previous: return send(previousTrackCommand)
        case .stop: return send(stopCommand)
        case .repeat:
            let type = MPRepeatType(rawValue: Int(min(2, max(0, value)))) ?? .off
            return changeRepeatModeCommand.send(MPChangeRepeatModeCommandEvent(command: changeRepeatModeCommand, repeatType: type))
        case .shuffle:
            let type = MPShuffleType(rawValue: Int(min(2, max(0, value)))) ?? .off
            return changeShuffleModeCommand.send(MPChangeShuffleModeCommandEvent(command: changeShuffleModeCommand, shuffleType: type))
        case .rate:
            return changePlaybackRateCommand.send(MPChangePlaybackRateCommandEvent(command: changePlaybackRateCommand, playbackRate: Float(value)))
        case .skipForward: return skipForwardCommand.send(MPSkipIntervalCommandEvent(command: skipForwardCommand, interval: value))
        case .skipBackward: return skipBackwardCommand.send(MPSkipIntervalCommandEvent(command: skipBackwardCommand, interval: value))
        case .seek:
            return changePlaybackPositionCommand.send(
                MPChangePlaybackPositionCommandEvent(command: changePlaybackPositionCommand, positionTime: value))
        case .seekForwardBegin: return seekForwardCommand.send(MPSeekCommandEvent(command: seekForwardCommand, type: .beginSeeking))
        case .seekForwardEnd: return seekForwardCommand.send(MPSeekCommandEvent(command: seekForwardCommand, type: .endSeeking))
        case .seekBackwardBegin: return seekBackwardCommand.send(MPSeekCommandEvent(command: seekBackwardCommand, type: .beginSeeking))
        case .seekBackwardEnd: return seekBackwardCommand.send(MPSeekCommandEvent(command: seekBackwardCommand, type: .endSeeking))
        case .like: return feedback(likeCommand)
        case .dislike: return feedback(dislikeCommand)
        case .bookmark: return feedback(bookmarkCommand)
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }

    /// Of what is liked already the like is taken back.
    private func feedback(_ command: MPFeedbackCommand) -> MPRemoteCommandHandlerStatus? {
        command.send(MPFeedbackCommandEvent(command: command, isNegative: command.isActive))
    }

    private func send(_ command: MPRemoteCommand) -> MPRemoteCommandHandlerStatus? { command.send(MPRemoteCommandEvent(command: command)) }
}
