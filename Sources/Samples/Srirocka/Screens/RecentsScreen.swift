import CarPlay

/// The fourth tab: what was played, the last first.
final class RecentsScreen {
    let template = CPListTemplate(title: "Recents", sections: [])

    private let rows: TrackRows
    private var shown: [Track] = []
    private var items: [CPListItem] = []
    private var observations: [Observation] = []

    init(rows: TrackRows) {
        self.rows = rows
        template.tabTitle = "Recents"
        template.tabImage = UIImage(systemName: "clock")
        template.emptyViewTitleVariants = ["Nothing Played Yet"]
        template.emptyViewSubtitleVariants = ["What you listen to appears here."]
        observations = [
            Observation(.playerDidChange) { [weak self] in self?.update() },
            Observation(.accountDidChange) { [weak self] in self?.update() },
        ]
        update()
    }

    private func update() {
        let recents = Player.shared.recents
        if recents != shown {
            shown = recents
            items = rows.items(for: recents) { "\($0.artist) · \($0.album)" }
            template.updateSections([CPListSection(items: items)])
        }
        rows.refresh(items)
    }
}
