import MediaPlayer

extension Player {
    /// Tells the system what plays. It infers the elapsed time itself, so this is for changes only.
    func publishNowPlaying() {
        let center = MPNowPlayingInfoCenter.default()
        guard let track = track else {
            center.nowPlayingInfo = nil
            center.playbackState = .stopped
            return
        }
        var info: [String: Any] = [
            MPMediaItemPropertyTitle: track.title,
            MPMediaItemPropertyArtist: track.artist,
            MPMediaItemPropertyAlbumTitle: track.album,
            MPMediaItemPropertyPlaybackDuration: track.duration,
            MPNowPlayingInfoPropertyElapsedPlaybackTime: elapsed,
            MPNowPlayingInfoPropertyPlaybackRate: isPlaying ? rate : 0,
            MPNowPlayingInfoPropertyDefaultPlaybackRate: rate,
            MPNowPlayingInfoPropertyPlaybackQueueIndex: queue.position,
            MPNowPlayingInfoPropertyPlaybackQueueCount: queue.tracks.count,
            MPNowPlayingInfoPropertyMediaType: MPNowPlayingInfoMediaType.audio.rawValue,
        ]
        if let image = UIImage(named: track.artworkName) {
            info[MPMediaItemPropertyArtwork] = MPMediaItemArtwork(boundsSize: image.size) { _ in image }
        }
        center.nowPlayingInfo = info
        center.playbackState = isPlaying ? .playing : .paused
        let commands = MPRemoteCommandCenter.shared()
        commands.changeRepeatModeCommand.currentRepeatType = MPRepeatType(queue.repeatMode)
        commands.changeShuffleModeCommand.currentShuffleType = queue.isShuffled ? .items : .off
        commands.likeCommand.isActive = likedIDs.contains(track.id)
    }
}

extension MPRepeatType {
    init(_ mode: RepeatMode) {
        switch mode {
        case .off: self = .off
        case .one: self = .one
        case .all: self = .all
        }
    }
}
