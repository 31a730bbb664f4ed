import CarPlay

/// The first tab: what was played lately, then all songs.
final class LibraryScreen {
    let template: CPListTemplate

    private let rows: SongRows
    private var songItems: [CPListItem] = []
    private var observer: NSObjectProtocol?

    init(interfaceController: CPInterfaceController) {
        rows = SongRows(interfaceController: interfaceController)
        template = CPListTemplate(title: "Rubber Soul", sections: [])
        template.tabTitle = "Library"
        template.tabImage = UIImage(systemName: "music.note.list")
        template.emptyViewTitleVariants = ["No Music"]
        template.emptyViewSubtitleVariants = ["Songs you add on your phone appear here."]

        let library = MusicLibrary.shared
        songItems = rows.items(for: library.songs)
        template.updateSections([
            CPListSection(items: [recentlyPlayed(library.albums)]),
            CPListSection(items: songItems, header: "Songs", sectionIndexTitle: nil),
        ])
        observer = NotificationCenter.default.addObserver(forName: .playerDidChange, object: nil, queue: .main) { [weak self] _ in
            guard let self = self else { return }
            self.rows.update(self.songItems)
        }
    }

    deinit {
        if let observer = observer {
            NotificationCenter.default.removeObserver(observer)
        }
    }

    private func recentlyPlayed(_ albums: [Album]) -> CPListImageRowItem {
        let recent = albums.filter { $0.artworkName != "Letters" }.prefix(CPMaximumNumberOfGridImages)
        let item = CPListImageRowItem(
            text: "Recently Played", images: recent.compactMap { UIImage(named: $0.artworkName) }, imageTitles: recent.map { $0.title })
        item.listImageRowHandler = { [weak self] _, index, completion in
            let album = Array(recent)[index]
            self?.play(album)
            completion()
        }
        item.handler = { _, completion in completion() }
        return item
    }

    private func play(_ album: Album) {
        guard let first = album.songs.first else { return }
        Player.shared.play(first, in: album.songs)
    }
}
