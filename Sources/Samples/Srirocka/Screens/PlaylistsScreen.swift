import CarPlay

/// The third tab: what is on the phone at once, the service's lists when they come, and a way to try again when they do not.
final class PlaylistsScreen {
    private enum State {
        case loading
        case loaded([Playlist])
        case failed(PlaylistError)
    }

    let template = CPListTemplate(title: "Playlists", sections: [])

    private let rows: TrackRows
    private var observation: Observation?
    private var state = State.loading
    /// Answers to earlier questions are not wanted any more.
    private var generation = 0

    init(rows: TrackRows) {
        self.rows = rows
        template.tabTitle = "Playlists"
        template.tabImage = UIImage(systemName: "music.note.list")
        observation = Observation(.accountDidChange) { [weak self] in self?.load() }
        load()
    }

    private func load(completion: (() -> Void)? = nil) {
        generation += 1
        let generation = self.generation
        if completion == nil { show(.loading) }
        PlaylistService.shared.load { [weak self] result in
            completion?()
            guard let self = self, generation == self.generation else { return }
            switch result {
            case .success(let playlists): self.show(.loaded(playlists))
            case .failure(let error): self.show(.failed(error))
            }
        }
    }

    private func show(_ state: State) {
        self.state = state
        let downloaded = CPListSection(items: [row(PlaylistService.shared.downloaded)])
        template.updateSections([downloaded, CPListSection(items: items(state), header: "From Srirocka", sectionIndexTitle: nil)])
    }

    private func items(_ state: State) -> [CPListItem] {
        switch state {
        case .loading:
            let item = CPListItem(text: "Loading…", detailText: "Fetching your playlists", image: UIImage(systemName: "hourglass"))
            item.isEnabled = false
            return [item]
        case .loaded(let playlists): return playlists.map(row)
        case .failed(let error):
            let (title, detail, symbol) = Self.words(error)
            // The row shows a spinner until the service has answered.
            return [rows.action(title, detail: detail, symbol: symbol) { [weak self] _, completion in
                switch error {
                case .signedOut:
                    Account.shared.setSignedIn(true)
                    completion()
                case .offline:
                    Account.shared.setOffline(false)
                    completion()
                case .noAnswer: self?.load(completion: completion)
                }
            }]
        }
    }

    private static func words(_ error: PlaylistError) -> (String, String, String) {
        switch error {
        case .signedOut: return ("Sign In", "Your playlists need an account", "person.crop.circle")
        case .offline: return ("Offline", "Select to reconnect", "wifi.slash")
        case .noAnswer: return ("Try Again", "Srirocka did not answer", "arrow.clockwise")
        }
    }

    private func row(_ playlist: Playlist) -> CPListItem {
        let item = CPListItem(text: playlist.title, detailText: playlist.detail, image: UIImage(named: playlist.artworkName))
        item.accessoryType = .disclosureIndicator
        item.handler = { [weak self] _, completion in
            guard let self = self else { return completion() }
            self.open(playlist)
            completion()
        }
        return item
    }

    /// The list is there at once and fills when its tracks come.
    private func open(_ playlist: Playlist) {
        let list = CPListTemplate(title: playlist.title, sections: [])
        list.emptyViewTitleVariants = ["Loading…"]
        list.emptyViewSubtitleVariants = ["\(playlist.title) is on its way."]
        rows.interfaceController.pushTemplate(list, animated: true, completion: nil)
        PlaylistService.shared.tracks(of: playlist) { [weak self, weak list] tracks in
            guard let self = self, let list = list else { return }
            let items = self.rows.items(for: tracks)
            list.userInfo = self.rows.keepFresh(items)
            let all = self.rows.action("Play All", detail: "\(tracks.count) tracks", symbol: "play.circle") { [weak self] _, completion in
                if let first = tracks.first(where: Account.shared.canPlay) {
                    Player.shared.play(first, in: tracks)
                    self?.rows.showNowPlaying()
                }
                completion()
            }
            list.updateSections([CPListSection(items: [all]), CPListSection(items: items)])
        }
    }
}
