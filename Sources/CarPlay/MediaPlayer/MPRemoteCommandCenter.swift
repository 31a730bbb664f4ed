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
        return message
    }

    package func handle(_ command: AppRemoteCommand) {
        let value = command.value.isFinite ? command.value : 0
        switch command.kind {
        case .play: send(playCommand)
        case .pause: send(pauseCommand)
        case .toggle: send(togglePlayPauseCommand)
        case .next: send(nextTrackCommand)
        case .previous: send(previousTrackCommand)
        case .stop: send(stopCommand)
        case .repeat:
            let type = MPRepeatType(rawValue: Int(min(2, max(0, value)))) ?? .off
            changeRepeatModeCommand.send(MPChangeRepeatModeCommandEvent(command: changeRepeatModeCommand, repeatType: type))
        case .shuffle:
            let type = MPShuffleType(rawValue: Int(min(2, max(0, value)))) ?? .off
            changeShuffleModeCommand.send(MPChangeShuffleModeCommandEvent(command: changeShuffleModeCommand, shuffleType: type))
        case .rate:
            changePlaybackRateCommand.send(MPChangePlaybackRateCommandEvent(command: changePlaybackRateCommand, playbackRate: Float(value)))
        case .skipForward: skipForwardCommand.send(MPSkipIntervalCommandEvent(command: skipForwardCommand, interval: value))
        case .skipBackward: skipBackwardCommand.send(MPSkipIntervalCommandEvent(command: skipBackwardCommand, interval: value))
        case .seek:
            changePlaybackPositionCommand.send(
                MPChangePlaybackPositionCommandEvent(command: changePlaybackPositionCommand, positionTime: value))
        case .unspecified, .UNRECOGNIZED: break
        }
    }

    private func send(_ command: MPRemoteCommand) { command.send(MPRemoteCommandEvent(command: command)) }
}
