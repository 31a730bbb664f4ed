import CarPlay

/// A screen that changes fifty times a second, to see how long a link keeps it waiting.
class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    private var timer: Timer?
    private let ticks = CPListItem(text: "Ticks", detailText: "0")
    private let taps = CPListItem(text: "Tap Here", detailText: "0 taps")
    private var tickCount = 0
    private var tapCount = 0

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didConnect interfaceController: CPInterfaceController
    ) {
        taps.handler = { [weak self] _, completion in
            self?.tapped()
            completion()
        }
        let list = CPListTemplate(title: "Ticker", sections: [CPListSection(items: [taps, ticks])])
        interfaceController.setRootTemplate(list, animated: false, completion: nil)
        timer = Timer.scheduledTimer(withTimeInterval: 0.02, repeats: true) { [weak self] _ in
            MainActor.assumeIsolated { self?.tick() }
        }
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        timer?.invalidate()
        timer = nil
    }

    private func tick() {
        tickCount += 1
        ticks.setDetailText("\(tickCount)")
    }

    private func tapped() {
        tapCount += 1
        taps.setDetailText("\(tapCount) taps")
    }
}
