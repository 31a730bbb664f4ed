import CarPlay

/// Plays a tone and stops it: the smallest app that makes sound.
class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    private let tone = Tone()
    private let play = CPListItem(text: "Play", detailText: "Silent")
    private let stop = CPListItem(text: "Stop", detailText: nil)

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didConnect interfaceController: CPInterfaceController
    ) {
        play.handler = { [weak self] _, completion in
            self?.begin()
            completion()
        }
        stop.handler = { [weak self] _, completion in
            self?.end()
            completion()
        }
        let list = CPListTemplate(title: "Tone", sections: [CPListSection(items: [play, stop])])
        interfaceController.setRootTemplate(list, animated: false, completion: nil)
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        end()
    }

    private func begin() {
        do {
            try tone.start()
            play.setDetailText("Sounding")
        } catch { play.setDetailText(error.localizedDescription) }
    }

    private func end() {
        tone.stop()
        play.setDetailText("Silent")
    }
}
