import CarPlay

class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    private var screen: PromptsScreen?

    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        let screen = PromptsScreen()
        self.screen = screen
        interfaceController.setRootTemplate(screen.template, animated: false) { success, error in
            if let error = error, !success { print("The root template was not set: \(error.localizedDescription)") }
        }
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        Guide.shared.stop()
        Speaker.shared.stop()
        screen = nil
    }
}
