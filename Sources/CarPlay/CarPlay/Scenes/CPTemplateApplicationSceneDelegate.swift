/// `contentStyleDidChange` is in two delegate protocols; it is declared here once so that a class may conform to both.
@preconcurrency @MainActor
public protocol _CPContentStyleObserving: UISceneDelegate {
    func contentStyleDidChange(_ contentStyle: UIUserInterfaceStyle)
}

extension _CPContentStyleObserving {
    public func contentStyleDidChange(_ contentStyle: UIUserInterfaceStyle) {}
}

/// The life of the app's scene on the car's main screen.
///
/// Objective-C asks whether a delegate has a method; here a method that is not written passes the call on to the next spelling,
/// so that an app hears of each connect and disconnect exactly once whichever it wrote:
///
///     navigation: didConnect:to: -> didConnect: -> raises        didDisconnect:from: -> didDisconnectInterfaceController: -> …
///     others:     didConnect: -> raises                          didDisconnectInterfaceController: -> didDisconnect: -> nothing
@preconcurrency @MainActor
public protocol CPTemplateApplicationSceneDelegate: _CPContentStyleObserving {
    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController)
    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnectInterfaceController interfaceController: CPInterfaceController)
    /// Not in Apple's protocol, but in much app code, where iOS never calls it; called here when the spelling above is not written.
    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didDisconnect interfaceController: CPInterfaceController)
    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController, to window: CPWindow)
    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnect interfaceController: CPInterfaceController, from window: CPWindow)
    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didSelect maneuver: CPManeuver)
    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didSelect navigationAlert: CPNavigationAlert)
}

extension CPTemplateApplicationSceneDelegate {
    public func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        CPTemplateApplicationScene.raiseNoLifecycle()
    }

    public func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        self.templateApplicationScene(templateApplicationScene, didDisconnect: interfaceController)
    }

    public func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnect interfaceController: CPInterfaceController
    ) {}

    public func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController, to window: CPWindow
    ) {
        self.templateApplicationScene(templateApplicationScene, didConnect: interfaceController)
    }

    public func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnect interfaceController: CPInterfaceController, from window: CPWindow
    ) {
        self.templateApplicationScene(templateApplicationScene, didDisconnectInterfaceController: interfaceController)
    }

    public func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didSelect maneuver: CPManeuver) {}

    public func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didSelect navigationAlert: CPNavigationAlert) {}
}
