import MediaPlayer

extension Player {
    /// Answers the car's media keys and the controls of the Now Playing screen.
    func registerRemoteCommands() {
        let center = MPRemoteCommandCenter.shared()
        center.playCommand.addTarget { [weak self] _ in
            self?.resume()
            return self?.currentSong == nil ? .noActionableNowPlayingItem : .success
        }
        center.pauseCommand.addTarget { [weak self] _ in
            self?.pause()
            return .success
        }
        center.togglePlayPauseCommand.addTarget { [weak self] _ in
            guard let self = self else { return .commandFailed }
            if self.isPlaying { self.pause() } else { self.resume() }
            return .success
        }
        center.nextTrackCommand.addTarget { [weak self] _ in
            self?.next()
            return .success
        }
        center.previousTrackCommand.addTarget { [weak self] _ in
            self?.previous()
            return .success
        }
        center.changePlaybackPositionCommand.addTarget { [weak self] event in
            guard let event = event as? MPChangePlaybackPositionCommandEvent else { return .commandFailed }
            self?.seek(to: event.positionTime)
            return .success
        }
        // The repeat and rate buttons of Now Playing appear only while these commands are enabled.
        center.changeRepeatModeCommand.addTarget { [weak self] _ in
            self?.cycleRepeat()
            return .success
        }
        center.changePlaybackRateCommand.supportedPlaybackRates = [0.75, 1, 1.25, 1.5]
        center.changePlaybackRateCommand.addTarget { [weak self] _ in
            self?.cycleRate()
            return .success
        }
    }
}
