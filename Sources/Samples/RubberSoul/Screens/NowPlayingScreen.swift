import CarPlay

/// The buttons of the Now Playing screen, and the queue behind its Up Next button.
final class NowPlayingScreen: NSObject, CPNowPlayingTemplateObserver {
    private let interfaceController: CPInterfaceController
    private let rows: SongRows

    init(interfaceController: CPInterfaceController) {
        self.interfaceController = interfaceController
        rows = SongRows(interfaceController: interfaceController)
        super.init()

        let template = CPNowPlayingTemplate.shared
        template.isUpNextButtonEnabled = true
        template.upNextTitle = "Up Next"
        template.isAlbumArtistButtonEnabled = true
        template.add(self)

        let repeatButton = CPNowPlayingRepeatButton { _ in Player.shared.cycleRepeat() }
        let rateButton = CPNowPlayingPlaybackRateButton { _ in Player.shared.cycleRate() }
        template.updateNowPlayingButtons([repeatButton, rateButton])
    }

    func disconnect() {
        CPNowPlayingTemplate.shared.remove(self)
    }

    func nowPlayingTemplateUpNextButtonTapped(_ nowPlayingTemplate: CPNowPlayingTemplate) {
        let list = CPListTemplate(title: "Up Next", sections: [CPListSection(items: rows.items(for: Player.shared.upNext))])
        list.emptyViewTitleVariants = ["Nothing Up Next"]
        list.emptyViewSubtitleVariants = ["Choose an album to fill the queue."]
        interfaceController.pushTemplate(list, animated: true, completion: nil)
    }

    func nowPlayingTemplateAlbumArtistButtonTapped(_ nowPlayingTemplate: CPNowPlayingTemplate) {
        guard let artist = Player.shared.currentSong?.artist else { return }
        let songs = MusicLibrary.shared.songs(by: artist)
        let list = CPListTemplate(title: artist, sections: [CPListSection(items: rows.items(for: songs))])
        interfaceController.pushTemplate(list, animated: true, completion: nil)
    }
}
