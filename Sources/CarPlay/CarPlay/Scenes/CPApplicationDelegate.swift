/// How apps of iOS 12 and 13 heard of the car. Declared so that such code compiles; this version connects scenes only, so an
/// app needs a scene manifest.
@preconcurrency @MainActor
public protocol CPApplicationDelegate: UIApplicationDelegate {
    func application(_ application: UIApplication, didConnectCarInterfaceController interfaceController: CPInterfaceController, to window: CPWindow)
    func application(_ application: UIApplication, didDisconnectCarInterfaceController interfaceController: CPInterfaceController, from window: CPWindow)
    func application(_ application: UIApplication, didSelect maneuver: CPManeuver)
    func application(_ application: UIApplication, didSelect navigationAlert: CPNavigationAlert)
}

extension CPApplicationDelegate {
    public func application(_ application: UIApplication, didSelect maneuver: CPManeuver) {}
    public func application(_ application: UIApplication, didSelect navigationAlert: CPNavigationAlert) {}
}
