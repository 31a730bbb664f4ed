import CarPlay

class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    private var screens: CarScreens?

    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        let screens = CarScreens(interfaceController: interfaceController)
        self.screens = screens
        interfaceController.setRootTemplate(screens.tabBar, animated: false) { success, error in
            if let error = error, !success { print("The root template was not set: \(error.localizedDescription)") }
        }
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        // The listener has left the car.
        Player.shared.pause()
        screens?.disconnect()
        screens = nil
    }
}
