import CarPlay

/// All that is shown during one connection; the next has its own.
final class CarScreens {
    let tabBar: CPTabBarTemplate

    private let listenNow: ListenNowScreen
    private let library: LibraryScreen
    private let playlists: PlaylistsScreen
    private let recents: RecentsScreen
    private let nowPlaying: NowPlayingScreen

    init(interfaceController: CPInterfaceController) {
        let rows = TrackRows(interfaceController: interfaceController)
        listenNow = ListenNowScreen(rows: rows)
        library = LibraryScreen(rows: rows)
        playlists = PlaylistsScreen(rows: rows)
        recents = RecentsScreen(rows: rows)
        // The system can show Now Playing at any time, so it is configured now and not when it is pushed.
        nowPlaying = NowPlayingScreen(rows: rows)
        tabBar = CPTabBarTemplate(templates: [listenNow.template, library.template, playlists.template, recents.template])
    }

    func disconnect() { nowPlaying.disconnect() }
}

/// Calls back while it lives.
final class Observation {
    private let token: NSObjectProtocol

    init(_ name: Notification.Name, _ handler: @escaping () -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in handler() }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
