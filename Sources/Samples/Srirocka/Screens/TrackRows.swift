import CarPlay

/// Rows for tracks, and what choosing one does.
final class TrackRows {
    let interfaceController: CPInterfaceController

    init(interfaceController: CPInterfaceController) { self.interfaceController = interfaceController }

    /// - Parameter detail: what stands below the title; the artist where nothing is given.
    func items(for tracks: [Track], detail: ((Track) -> String)? = nil) -> [CPListItem] {
        tracks.map { track in
            let item = CPListItem(text: track.title, detailText: detail?(track) ?? track.artist, image: UIImage(named: track.artworkName))
            item.userInfo = track.id
            item.playingIndicatorLocation = .trailing
            item.handler = { [weak self] _, completion in
                Player.shared.play(track, in: tracks)
                self?.showNowPlaying()
                completion()
            }
            refresh(item)
            return item
        }
    }

    /// Whether it plays, and whether it can, changes while rows are shown.
    func refresh(_ items: [CPListItem]) { items.forEach(refresh) }

    private func refresh(_ item: CPListItem) {
        guard let track = (item.userInfo as? String).flatMap({ Catalog.shared.track($0) }) else { return }
        item.isPlaying = Player.shared.track == track && Player.shared.isPlaying
        item.isEnabled = Account.shared.canPlay(track)
        item.accessoryType = track.isDownloaded ? .none : .cloud
    }

    /// A row that leads somewhere or does something.
    func action(_ title: String, detail: String? = nil, symbol: String, disclosure: Bool = false, perform: @escaping (CPListItem?, @escaping () -> Void) -> Void) -> CPListItem {
        let item = CPListItem(text: title, detailText: detail, image: UIImage(systemName: symbol), accessoryImage: nil, accessoryType: disclosure ? .disclosureIndicator : .none)
        item.handler = { item, completion in perform(item as? CPListItem, completion) }
        return item
    }

    func push(_ title: String, _ tracks: [Track], detail: ((Track) -> String)? = nil) {
        let items = self.items(for: tracks, detail: detail)
        let list = CPListTemplate(title: title, sections: [CPListSection(items: items)])
        list.userInfo = keepFresh(items)
        interfaceController.pushTemplate(list, animated: true, completion: nil)
    }

    /// Keeps rows right as long as what it returns is kept.
    func keepFresh(_ items: [CPListItem]) -> [Observation] {
        [.playerDidChange, .accountDidChange].map { name in Observation(name) { [weak self] in self?.refresh(items) } }
    }

    func showNowPlaying() {
        let nowPlaying = CPNowPlayingTemplate.shared
        guard interfaceController.topTemplate !== nowPlaying else { return }
        if interfaceController.templates.contains(where: { $0 === nowPlaying }) {
            interfaceController.pop(to: nowPlaying, animated: true, completion: nil)
        } else {
            interfaceController.pushTemplate(nowPlaying, animated: true, completion: nil)
        }
    }
}
