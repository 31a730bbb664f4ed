import CarPlay

class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    private var interfaceController: CPInterfaceController?
    private var libraryScreen: LibraryScreen?
    private var browseScreen: BrowseScreen?
    private var nowPlayingScreen: NowPlayingScreen?

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didConnect interfaceController: CPInterfaceController
    ) {
        self.interfaceController = interfaceController

        // The system can show Now Playing at any time, so it is configured now and not when it is pushed.
        let nowPlaying = NowPlayingScreen(interfaceController: interfaceController)
        let library = LibraryScreen(interfaceController: interfaceController)
        let browse = BrowseScreen(interfaceController: interfaceController)
        nowPlayingScreen = nowPlaying
        libraryScreen = library
        browseScreen = browse

        let tabBar = CPTabBarTemplate(templates: [library.template, browse.template])
        interfaceController.setRootTemplate(tabBar, animated: false) { success, error in
            if let error = error, !success {
                print("The root template was not set: \(error.localizedDescription)")
            }
        }
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        Player.shared.pause()
        nowPlayingScreen?.disconnect()
        self.interfaceController = nil
        libraryScreen = nil
        browseScreen = nil
        nowPlayingScreen = nil
    }
}
