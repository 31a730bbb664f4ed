import CarPlay

/// The first tab: covers to tap, and what the service suggests.
final class ListenNowScreen {
    let template = CPListTemplate(title: "Srirocka", sections: [])

    private let rows: TrackRows
    private var items: [CPListItem] = []
    private var observations: [Observation] = []

    init(rows: TrackRows) {
        self.rows = rows
        template.tabTitle = "Listen Now"
        template.tabImage = UIImage(systemName: "play.circle")
        template.emptyViewTitleVariants = ["Nothing to Play"]
        observations = [
            Observation(.accountDidChange) { [weak self] in self?.build() },
            Observation(.playerDidChange) { [weak self] in self.map { $0.rows.refresh($0.items) } },
        ]
        build()
    }

    private func build() {
        let account = Account.shared
        var sections: [CPListSection] = []
        if let notice = notice(account) { sections.append(CPListSection(items: [notice])) }
        let albums = Catalog.shared.albums.filter { album in album.tracks.contains(where: account.canPlay) }
        sections.append(CPListSection(items: [covers("Made for Driving", Array(albums.prefix(CPMaximumNumberOfGridImages)))]))
        let picks = ["Neon Orchard", "Cold Coffee", "Last Tram Home", "Surf at Night"].compactMap { Catalog.shared.track($0) }.filter(account.canPlay)
        items = rows.items(for: picks)
        sections.append(CPListSection(items: items, header: account.isSignedIn && !account.isOffline ? "For You" : "On This Phone", sectionIndexTitle: nil))
        template.updateSections(sections)
    }

    private func notice(_ account: Account) -> CPListItem? {
        if !account.isSignedIn {
            return rows.action("Signed Out", detail: "Downloads still play. Select to sign in.", symbol: "person.crop.circle") { _, completion in
                // As if the listener had done it on the phone: it takes a moment.
                DispatchQueue.main.asyncAfter(deadline: .now() + 0.8) {
                    Account.shared.setSignedIn(true)
                    completion()
                }
            }
        }
        guard account.isOffline else { return nil }
        return rows.action("Offline", detail: "Downloads still play. Select to retry.", symbol: "wifi.slash") { _, completion in
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.8) {
                Account.shared.setOffline(false)
                completion()
            }
        }
    }

    private func covers(_ title: String, _ albums: [Album]) -> CPListImageRowItem {
        let item = CPListImageRowItem(text: title, images: albums.compactMap { UIImage(named: $0.artworkName) }, imageTitles: albums.map { $0.title })
        item.listImageRowHandler = { [weak self] _, index, completion in
            if albums.indices.contains(index) { self?.rows.push(albums[index].title, albums[index].tracks) }
            completion()
        }
        // The row's title shows all of them as a list.
        item.handler = { [weak self] _, completion in
            self?.rows.push(title, albums.flatMap { $0.tracks })
            completion()
        }
        return item
    }
}
