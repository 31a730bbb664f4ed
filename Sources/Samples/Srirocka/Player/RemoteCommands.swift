import MediaPlayer

extension Player {
    /// Answers the steering wheel's keys and the controls of the Now Playing screen.
    func registerRemoteCommands() {
        let center = MPRemoteCommandCenter.shared()
        add(center.playCommand) { $0.resume() }
        add(center.pauseCommand) { $0.pause() }
        add(center.stopCommand) { $0.pause() }
        add(center.togglePlayPauseCommand) { $0.toggle() }
        add(center.nextTrackCommand) { $0.next() }
        add(center.previousTrackCommand) { $0.previous() }
        add(center.likeCommand) { $0.toggleLike() }
        center.changePlaybackPositionCommand.addTarget { [weak self] event in
            guard let player = self, let event = event as? MPChangePlaybackPositionCommandEvent else { return .commandFailed }
            player.seek(to: event.positionTime)
            return .success
        }
        // The shuffle, repeat and rate buttons of Now Playing appear only while these commands are enabled.
        center.changeShuffleModeCommand.addTarget { [weak self] event in
            guard let player = self, let event = event as? MPChangeShuffleModeCommandEvent else { return .commandFailed }
            player.setShuffle(event.shuffleType != .off)
            return .success
        }
        center.changeRepeatModeCommand.addTarget { [weak self] event in
            guard let player = self, let event = event as? MPChangeRepeatModeCommandEvent else { return .commandFailed }
            player.setRepeat(event.repeatType == .off ? .off : event.repeatType == .one ? .one : .all)
            return .success
        }
        center.changePlaybackRateCommand.supportedPlaybackRates = Self.rates.map { NSNumber(value: $0) }
        center.changePlaybackRateCommand.addTarget { [weak self] event in
            guard let player = self, let event = event as? MPChangePlaybackRateCommandEvent, event.playbackRate > 0 else { return .commandFailed }
            player.setRate(event.playbackRate)
            return .success
        }
    }

    private func add(_ command: MPRemoteCommand, _ action: @escaping (Player) -> Void) {
        command.addTarget { [weak self] _ in
            guard let player = self else { return .commandFailed }
            guard player.track != nil else { return .noActionableNowPlayingItem }
            action(player)
            return .success
        }
    }
}
