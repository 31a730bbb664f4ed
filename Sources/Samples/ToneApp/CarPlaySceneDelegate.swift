import CarPlay

/// Plays a tone and stops it, as music or as a prompt: the smallest app that makes sound.
class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    private let music = Tone(.music), prompt = Tone(.prompt)
    private let play = CPListItem(text: "Play", detailText: "Silent")
    private let say = CPListItem(text: "Prompt", detailText: "Silent")
    private let stop = CPListItem(text: "Stop", detailText: nil)

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didConnect interfaceController: CPInterfaceController
    ) {
        play.handler = { [weak self] item, completion in
            if let self { begin(music, item) }
            completion()
        }
        say.handler = { [weak self] item, completion in
            if let self { begin(prompt, item) }
            completion()
        }
        stop.handler = { [weak self] _, completion in
            self?.end()
            completion()
        }
        let list = CPListTemplate(title: "Tone", sections: [CPListSection(items: [play, say, stop])])
        interfaceController.setRootTemplate(list, animated: false, completion: nil)
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        end()
    }

    private func begin(_ tone: Tone, _ item: any CPSelectableListItem) {
        end()
        let item = item as? CPListItem
        do {
            try tone.start()
            item?.setDetailText("Sounding")
        } catch { item?.setDetailText(error.localizedDescription) }
    }

    private func end() {
        for (tone, item) in [(music, play), (prompt, say)] {
            tone.stop()
            item.setDetailText("Silent")
        }
    }
}
