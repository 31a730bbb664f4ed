import CarPlay

/// Shows one list, writes down what it is told, and misbehaves when ordered to.
class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    /// Scenes this process was given so far.
    private static var scenes = 0

    private var interfaceController: CPInterfaceController?
    private var number = 0
    private var isConnected = false
    private var ticker: Timer?
    private var ticks = 0

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didConnect interfaceController: CPInterfaceController
    ) {
        Self.scenes += 1
        number = Self.scenes
        isConnected = true
        Diary.shared.note("didConnect", scene: number)
        self.interfaceController = interfaceController
        Orders.obey(at: "didConnect")
        showList(on: interfaceController)
        Diary.shared.note("didConnect-returns", scene: number)
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene,
        didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        Diary.shared.note("didDisconnect", scene: number)
        isConnected = false
        ticker?.invalidate()
        ticker = nil
        Orders.obey(at: "didDisconnect")
        self.interfaceController = nil
        callLate(interfaceController)
        Diary.shared.note("didDisconnect-returns", scene: number)
    }

    private func showList(on interfaceController: CPInterfaceController) {
        let rows = (1...30).map { CPListItem(text: "Trouble \($0)", detailText: "Obeys the orders for a tap") }
        let number = self.number
        for row in rows {
            row.handler = { _, completion in
                Diary.shared.note("tap", scene: number)
                Orders.obey(at: "tap")
                completion()
            }
        }
        let template = CPListTemplate(title: "Chaos", sections: [CPListSection(items: rows)])
        interfaceController.setRootTemplate(template, animated: false, completion: nil)
        // Commits come at all times, not only after input.
        ticker = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { [weak self, weak row = rows.first] _ in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.ticks += 1
                row?.setDetailText("Tick \(self.ticks)")
            }
        }
    }

    /// Apps do this, and it must fail softly: the controller is dead.
    private func callLate(_ controller: CPInterfaceController) {
        let number = self.number
        controller.setRootTemplate(CPListTemplate(title: "Too late", sections: []), animated: false) { success, _ in
            Diary.shared.note(success ? "late-call-succeeded" : "late-call-failed", scene: number)
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { [weak controller] in
            if controller != nil { Diary.shared.note("controller-still-there", scene: number) }
        }
    }
}
