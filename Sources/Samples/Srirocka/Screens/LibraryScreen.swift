import CarPlay

/// The second tab: albums, then the account.
final class LibraryScreen {
    let template = CPListTemplate(title: "Library", sections: [])

    private let rows: TrackRows
    private var observation: Observation?

    init(rows: TrackRows) {
        self.rows = rows
        template.tabTitle = "Library"
        template.tabImage = UIImage(systemName: "square.stack")
        observation = Observation(.accountDidChange) { [weak self] in self?.build() }
        build()
    }

    private func build() {
        let account = Account.shared
        let albums = Catalog.shared.albums.map { album -> CPListItem in
            let item = CPListItem(text: album.title, detailText: album.artist, image: UIImage(named: album.artworkName))
            item.accessoryType = .disclosureIndicator
            item.handler = { [weak self] _, completion in
                self?.rows.push(album.title, album.tracks)
                completion()
            }
            return item
        }
        let signing = rows.action(
            account.isSignedIn ? "Sign Out" : "Sign In", detail: account.isSignedIn ? "robin@example.com" : "For streams and playlists",
            symbol: "person.crop.circle") { _, completion in
            Account.shared.setSignedIn(!account.isSignedIn)
            completion()
        }
        let network = rows.action(
            account.isOffline ? "Go Online" : "Work Offline", detail: account.isOffline ? "Only downloads play" : "Plays downloads only",
            symbol: account.isOffline ? "wifi" : "wifi.slash") { _, completion in
            Account.shared.setOffline(!account.isOffline)
            completion()
        }
        template.updateSections([
            CPListSection(items: albums, header: "Albums", sectionIndexTitle: nil),
            CPListSection(items: [signing, network], header: "Account", sectionIndexTitle: nil),
        ])
    }
}
