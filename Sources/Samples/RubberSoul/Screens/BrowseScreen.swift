import CarPlay

/// The second tab: albums, moods, and two settings.
final class BrowseScreen {
    let template: CPListTemplate

    private let interfaceController: CPInterfaceController
    private let rows: SongRows

    init(interfaceController: CPInterfaceController) {
        self.interfaceController = interfaceController
        rows = SongRows(interfaceController: interfaceController)
        template = CPListTemplate(title: "Browse", sections: [])
        template.tabTitle = "Browse"
        template.tabImage = UIImage(systemName: "square.grid.2x2.fill")
        template.updateSections([
            CPListSection(items: [
                row("Albums", symbol: "square.stack.fill") { [weak self] in self?.showAlbums() },
                row("Moods", symbol: "face.smiling") { [weak self] in self?.showMoods() },
            ]),
            CPListSection(
                items: [
                    row("Sleep Timer", symbol: "moon.zzz.fill") { [weak self] in self?.chooseSleepTimer() },
                    row("Clear Queue", symbol: "trash.fill") { [weak self] in self?.confirmClearQueue() },
                ],
                header: "Playback", sectionIndexTitle: nil),
        ])
    }

    private func row(_ title: String, symbol: String, action: @escaping () -> Void) -> CPListItem {
        let item = CPListItem(
            text: title, detailText: nil, image: UIImage(systemName: symbol), accessoryImage: nil, accessoryType: .disclosureIndicator)
        item.handler = { _, completion in
            action()
            completion()
        }
        return item
    }

    private func showAlbums() {
        let items = MusicLibrary.shared.albums.map { album -> CPListItem in
            let item = CPListItem(text: album.title, detailText: album.artist, image: UIImage(named: album.artworkName))
            item.accessoryType = .disclosureIndicator
            item.handler = { [weak self] _, completion in
                self?.show(album.songs, title: album.title)
                completion()
            }
            return item
        }
        let list = CPListTemplate(title: "Albums", sections: [CPListSection(items: items)])
        interfaceController.pushTemplate(list, animated: true, completion: nil)
    }

    private func showMoods() {
        let buttons = Mood.allCases.map { mood in
            CPGridButton(titleVariants: [mood.rawValue], image: UIImage(systemName: mood.symbolName) ?? UIImage()) { [weak self] _ in
                self?.show(MusicLibrary.shared.songs(for: mood), title: mood.rawValue)
            }
        }
        interfaceController.pushTemplate(CPGridTemplate(title: "Moods", gridButtons: buttons), animated: true, completion: nil)
    }

    private func show(_ songs: [Song], title: String) {
        let list = CPListTemplate(title: title, sections: [CPListSection(items: rows.items(for: songs))])
        interfaceController.pushTemplate(list, animated: true, completion: nil)
    }

    private func chooseSleepTimer() {
        let choices = [15, 30, 60].map { minutes in
            CPAlertAction(title: "\(minutes) Minutes", style: .default) { [weak self] _ in
                DispatchQueue.main.asyncAfter(deadline: .now() + TimeInterval(minutes * 60)) { Player.shared.pause() }
                self?.interfaceController.dismissTemplate(animated: true, completion: nil)
            }
        }
        let cancel = CPAlertAction(title: "Cancel", style: .cancel) { [weak self] _ in
            self?.interfaceController.dismissTemplate(animated: true, completion: nil)
        }
        let sheet = CPActionSheetTemplate(title: "Sleep Timer", message: "Pause the music after a while.", actions: choices + [cancel])
        interfaceController.presentTemplate(sheet, animated: true, completion: nil)
    }

    private func confirmClearQueue() {
        let clear = CPAlertAction(title: "Clear", style: .destructive) { [weak self] _ in
            Player.shared.clearQueue()
            self?.interfaceController.dismissTemplate(animated: true, completion: nil)
        }
        let keep = CPAlertAction(title: "Keep", style: .cancel) { [weak self] _ in
            self?.interfaceController.dismissTemplate(animated: true, completion: nil)
        }
        let alert = CPAlertTemplate(titleVariants: ["Remove all songs from the queue?", "Clear the queue?"], actions: [keep, clear])
        interfaceController.presentTemplate(alert, animated: true, completion: nil)
    }
}
