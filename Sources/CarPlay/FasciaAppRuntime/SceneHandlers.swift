import FasciaAppLink

/// What the session asks of `UIApplication`.
@MainActor
package protocol AppLifecycleHandler: AnyObject {
    func connectScene(_ connect: AppSceneConnect)
    func disconnectScene(reason: String)
    func activateScene(foreground: Bool)
    func traitsChanged()
    func willTerminate()
}

/// What `UIApplication` and the session ask of a CarPlay scene.
@MainActor
package protocol AppSceneHandler: AnyObject {
    /// Calls the delegate's connect method.
    func sceneConnected()
    /// Calls the delegate's disconnect method.
    func sceneDisconnected(reason: String)
    func traitsChanged()
    /// Everything about templates.
    func receive(_ message: AppToApp.OneOf_Message)
}
