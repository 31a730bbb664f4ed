/// One connected screen of the app.
@preconcurrency @MainActor
open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable { case unattached = -1, foregroundActive, foregroundInactive, background }

    /// What came with the connection: nothing, on a car screen.
    @MainActor
    open class ConnectionOptions: NSObject {
        public var urlContexts: Set<UIOpenURLContext> { [] }
        public var userActivities: Set<NSUserActivity> { [] }
        public var sourceApplication: String? { nil }
    }

    public let session: UISceneSession
    public private(set) var activationState = ActivationState.unattached
    open var title: String! = ""

    package var sceneDelegate: (any UISceneDelegate)?

    public required init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
        session.scene = self
    }

    func setActivationState(_ state: ActivationState) { activationState = state }

    public static let willConnectNotification = NSNotification.Name("UISceneWillConnectNotification")
    public static let didDisconnectNotification = NSNotification.Name("UISceneDidDisconnectNotification")
    public static let didActivateNotification = NSNotification.Name("UISceneDidActivateNotification")
}

/// Gives `UIScene` its `delegate`. A protocol extension, so that a CarPlay scene can have one of a narrower type, which an
/// Objective-C property may and a Swift one may not.
@preconcurrency @MainActor
public protocol _UISceneDelegating: UIScene {}

extension _UISceneDelegating {
    public var delegate: (any UISceneDelegate)? {
        get { sceneDelegate }
        set { sceneDelegate = newValue }
    }
}

extension UIScene: _UISceneDelegating {}

/// A URL to open; none ever arrives on a car screen.
public final class UIOpenURLContext: NSObject, Sendable {
    public let url: URL
    init(url: URL) { self.url = url }
}

/// A scene of the phone's own screen. Declared for app code that has one too; never connected here.
@preconcurrency @MainActor
open class UIWindowScene: UIScene {
    public var windows: [UIWindow] { [] }
    public var screen: UIScreen { .main }
    public var traitCollection: UITraitCollection { .current }
}
