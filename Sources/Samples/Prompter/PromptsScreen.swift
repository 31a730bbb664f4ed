import CarPlay

/// One list: the drive, and its prompts one by one.
final class PromptsScreen {
    let template = CPListTemplate(title: "Prompter", sections: [])

    private let guideItem = CPListItem(text: "Start the Drive", detailText: nil, image: UIImage(systemName: "play.circle"))
    private var observer: NSObjectProtocol?

    init() {
        guideItem.handler = { _, completion in
            if Guide.shared.isRunning { Guide.shared.stop() } else { Guide.shared.start() }
            completion()
        }
        template.updateSections([
            CPListSection(items: [guideItem]),
            CPListSection(items: Prompt.route.map(row), header: "Prompts", sectionIndexTitle: nil),
        ])
        observer = NotificationCenter.default.addObserver(forName: .guideDidChange, object: nil, queue: .main) { [weak self] _ in self?.update() }
        update()
    }

    deinit { if let observer = observer { NotificationCenter.default.removeObserver(observer) } }

    private func update() {
        let guide = Guide.shared
        guideItem.setText(guide.isRunning ? "Stop the Drive" : "Start the Drive")
        guideItem.setDetailText("A prompt every \(Int(guide.interval)) seconds")
        guideItem.setImage(UIImage(systemName: guide.isRunning ? "stop.circle" : "play.circle"))
    }

    private func row(_ prompt: Prompt) -> CPListItem {
        let item = CPListItem(text: prompt.title, detailText: prompt.road, image: UIImage(systemName: prompt.symbolName))
        // The row shows a spinner while the prompt is spoken.
        item.handler = { _, completion in Speaker.shared.speak(prompt.text, completion: completion) }
        return item
    }
}
