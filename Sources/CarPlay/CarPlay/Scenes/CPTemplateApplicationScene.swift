import FasciaAppLink
import FasciaAppRuntime

/// The app's scene on the car's main screen.
@preconcurrency @MainActor
open class CPTemplateApplicationScene: UIScene {
    public let interfaceController: CPInterfaceController
    /// For navigation apps; this version draws no views in it.
    public let carWindow: CPWindow
    private var lastStyle: UIUserInterfaceStyle

    public required init(session: UISceneSession, connectionOptions: UIScene.ConnectionOptions) {
        interfaceController = CPInterfaceController()
        carWindow = CPWindow(frame: UIScreen.main.bounds)
        lastStyle = UITraitCollection.car.userInterfaceStyle
        super.init(session: session, connectionOptions: connectionOptions)
        carWindow.templateApplicationScene = self
    }

    public var delegate: (any CPTemplateApplicationSceneDelegate)? {
        get { sceneDelegate as? any CPTemplateApplicationSceneDelegate }
        set { sceneDelegate = newValue }
    }

    /// The car's appearance, light or dark.
    public var contentStyle: UIUserInterfaceStyle { UITraitCollection.car.userInterfaceStyle }

    private var isNavigation: Bool { AppSession.shared.category == .navigation }
}

extension CPTemplateApplicationScene: AppSceneHandler {
    package func sceneConnected() {
        guard let delegate else { return CPTemplateApplicationScene.raiseNoLifecycle() }
        AppSession.shared.nowPlayingTapHandler = { CPNowPlayingTemplate.shared.tapped($0) }
        if isNavigation {
            delegate.templateApplicationScene(self, didConnect: interfaceController, to: carWindow)
        } else {
            delegate.templateApplicationScene(self, didConnect: interfaceController)
        }
        if CategoryRules.current.templates.contains(.nowPlaying) {
            // The phone may show it by itself from now on.
            AppSession.shared.require(CPNowPlayingTemplate.shared)
        }
    }

    package func sceneDisconnected(reason: String) {
        interfaceController.disconnect()
        AppSession.shared.nowPlayingTapHandler = nil
        guard let delegate else { return }
        if isNavigation {
            delegate.templateApplicationScene(self, didDisconnect: interfaceController, from: carWindow)
        } else {
            delegate.templateApplicationScene(self, didDisconnectInterfaceController: interfaceController)
        }
    }

    package func traitsChanged() {
        SessionConfigurations.traitsChanged()
        for template in interfaceController.stack.all { template.changed() }
        guard contentStyle != lastStyle else { return }
        lastStyle = contentStyle
        delegate?.contentStyleDidChange(contentStyle)
    }

    package func receive(_ message: AppToApp.OneOf_Message) { interfaceController.receive(message) }

    static func raiseNoLifecycle() {
        Faults.raise(
            ExceptionName.generic, "Application does not implement CarPlay template application lifecycle methods in its scene delegate.")
    }
}
