import CarPlay

/// Rows for songs, and what choosing one does.
final class SongRows {
    private let interfaceController: CPInterfaceController

    init(interfaceController: CPInterfaceController) {
        self.interfaceController = interfaceController
    }

    func items(for songs: [Song]) -> [CPListItem] {
        songs.map { song in
            let item = CPListItem(text: song.title, detailText: song.artist, image: ArtworkLoader.shared.image(for: song))
            item.userInfo = song.id
            item.isExplicitContent = song.isExplicit
            item.accessoryType = song.isDownloaded ? .none : .cloud
            item.isPlaying = Player.shared.currentSong?.id == song.id
            item.playingIndicatorLocation = .trailing
            item.handler = { [weak self] item, completion in
                self?.play(song, in: songs, item: item as? CPListItem, completion: completion)
            }
            ArtworkLoader.shared.load(for: song) { image in
                item.setImage(image)
            }
            return item
        }
    }

    /// Marks the row of the song that plays.
    func update(_ items: [CPListItem]) {
        for item in items {
            item.isPlaying = item.userInfo as? Int == Player.shared.currentSong?.id
        }
    }

    private func play(_ song: Song, in songs: [Song], item: CPListItem?, completion: @escaping () -> Void) {
        guard !song.isDownloaded else {
            Player.shared.play(song, in: songs)
            showNowPlaying()
            return completion()
        }
        // The row shows a spinner until the completion block is called.
        MusicLibrary.shared.download(song) { [weak self] in
            item?.accessoryType = .none
            Player.shared.play(song, in: songs)
            self?.showNowPlaying()
            completion()
        }
    }

    private func showNowPlaying() {
        guard interfaceController.topTemplate !== CPNowPlayingTemplate.shared else { return }
        if interfaceController.templates.contains(where: { $0 === CPNowPlayingTemplate.shared }) {
            interfaceController.pop(to: CPNowPlayingTemplate.shared, animated: true, completion: nil)
        } else {
            interfaceController.pushTemplate(CPNowPlayingTemplate.shared, animated: true, completion: nil)
        }
    }
}
