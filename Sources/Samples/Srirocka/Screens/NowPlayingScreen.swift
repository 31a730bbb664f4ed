import CarPlay

/// The buttons of Now Playing, and the lists behind them.
final class NowPlayingScreen: NSObject, CPNowPlayingTemplateObserver {
    private let rows: TrackRows
    private var observation: Observation?
    private var isLiked: Bool?

    init(rows: TrackRows) {
        self.rows = rows
        super.init()
        let template = CPNowPlayingTemplate.shared
        template.isUpNextButtonEnabled = true
        template.upNextTitle = "Up Next"
        template.isAlbumArtistButtonEnabled = true
        template.add(self)
        observation = Observation(.playerDidChange) { [weak self] in self?.updateButtons() }
        updateButtons()
    }

    func disconnect() { CPNowPlayingTemplate.shared.remove(self) }

    private func updateButtons() {
        let liked = Player.shared.track.map { Player.shared.likedIDs.contains($0.id) } ?? false
        guard liked != isLiked else { return }
        isLiked = liked
        let like = CPNowPlayingImageButton(image: UIImage(systemName: liked ? "heart.fill" : "heart") ?? UIImage()) { _ in Player.shared.toggleLike() }
        like.isSelected = liked
        CPNowPlayingTemplate.shared.updateNowPlayingButtons([
            CPNowPlayingShuffleButton { _ in Player.shared.setShuffle(!Player.shared.queue.isShuffled) },
            CPNowPlayingRepeatButton { _ in Player.shared.cycleRepeat() },
            CPNowPlayingPlaybackRateButton { _ in Player.shared.cycleRate() },
            like,
        ])
    }

    func nowPlayingTemplateUpNextButtonTapped(_ nowPlayingTemplate: CPNowPlayingTemplate) {
        let upNext = Player.shared.queue.upNext
        let items = upNext.map { track -> CPListItem in
            let item = CPListItem(text: track.title, detailText: track.artist, image: UIImage(named: track.artworkName))
            item.handler = { [weak self] _, completion in
                Player.shared.jump(to: track)
                self?.rows.showNowPlaying()
                completion()
            }
            return item
        }
        let list = CPListTemplate(title: "Up Next", sections: [CPListSection(items: items)])
        list.emptyViewTitleVariants = ["Nothing Up Next"]
        list.emptyViewSubtitleVariants = ["Choose an album or a playlist to fill the queue."]
        rows.interfaceController.pushTemplate(list, animated: true, completion: nil)
    }

    func nowPlayingTemplateAlbumArtistButtonTapped(_ nowPlayingTemplate: CPNowPlayingTemplate) {
        guard let artist = Player.shared.track?.artist else { return }
        rows.push(artist, Catalog.shared.tracks(by: artist)) { $0.album }
    }
}
