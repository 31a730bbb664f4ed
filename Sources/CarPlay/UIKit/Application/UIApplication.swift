import FasciaAppLink
import FasciaAppRuntime

/// The running app.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
    public static let shared = UIApplication()

    /// Keys of the launch options, which are always nil here: the car starts apps without any.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        public static let remoteNotification = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")
    }

    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let universalLinksOnly = OpenExternalURLOptionsKey(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    public enum State: Int, Sendable { case active, inactive, background }

    public weak var delegate: (any UIApplicationDelegate)? {
        didSet { ownedDelegate = nil }
    }

    /// On the car screen the app is active while its scene is in front.
    public private(set) var applicationState = State.background
    public private(set) var connectedScenes: Set<UIScene> = []
    public var openSessions: Set<UISceneSession> { Set(connectedScenes.map(\.session)) }
    public var isIdleTimerDisabled = false
    public var supportsMultipleScenes: Bool { true }

    public static let didBecomeActiveNotification = NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    public static let willResignActiveNotification = NSNotification.Name("UIApplicationWillResignActiveNotification")
    public static let didEnterBackgroundNotification = NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    public static let willEnterForegroundNotification = NSNotification.Name("UIApplicationWillEnterForegroundNotification")
    public static let willTerminateNotification = NSNotification.Name("UIApplicationWillTerminateNotification")
    public static let didFinishLaunchingNotification = NSNotification.Name("UIApplicationDidFinishLaunchingNotification")

    private var ownedDelegate: (any UIApplicationDelegate)?
    private var carScene: UIScene?
    private var carDelegate: (any UISceneDelegate)?

    /// Nothing on a car screen opens URLs: always false.
    public func canOpenURL(_ url: URL) -> Bool { false }

    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:], completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        completionHandler?(false)
    }

    /// Remote commands arrive in any case, through `MPRemoteCommandCenter`.
    public func beginReceivingRemoteControlEvents() {}
    public func endReceivingRemoteControlEvents() {}

    /// Takes a delegate and lets it finish launching.
    package func launch(_ delegate: any UIApplicationDelegate) {
        self.delegate = delegate
        ownedDelegate = delegate
        AppSession.shared.lifecycleHandler = self
        _ = delegate.application(self, willFinishLaunchingWithOptions: nil)
        _ = delegate.application(self, didFinishLaunchingWithOptions: nil)
        NotificationCenter.default.post(name: Self.didFinishLaunchingNotification, object: self)
    }

    func setState(_ state: State) { applicationState = state }
}

// MARK: The phone's side of the app's life

extension UIApplication: AppLifecycleHandler {
    package func connectScene(_ connect: AppSceneConnect) {
        let made = SceneFactory.make(connect, application: self)
        carScene = made.scene
        carDelegate = made.delegate
        connectedScenes.insert(made.scene)
        made.delegate.scene(made.scene, willConnectTo: made.scene.session, options: made.options)
        if let handler = made.scene as? any AppSceneHandler {
            AppSession.shared.sceneHandler = handler
            handler.sceneConnected()
        }
        activateScene(foreground: true)
    }

    package func disconnectScene(reason: String) {
        guard let scene = carScene else { return }
        activateScene(foreground: false)
        carScene = nil
        (scene as? any AppSceneHandler)?.sceneDisconnected(reason: reason)
        scene.setActivationState(.unattached)
        carDelegate?.sceneDidDisconnect(scene)
        carDelegate = nil
        connectedScenes.remove(scene)
        delegate?.application(self, didDiscardSceneSessions: [scene.session])
    }

    package func activateScene(foreground: Bool) {
        guard let scene = carScene, foreground != (scene.activationState == .foregroundActive) else { return }
        if foreground {
            scene.setActivationState(.foregroundInactive)
            carDelegate?.sceneWillEnterForeground(scene)
            scene.setActivationState(.foregroundActive)
            setState(.active)
            carDelegate?.sceneDidBecomeActive(scene)
            NotificationCenter.default.post(name: Self.didBecomeActiveNotification, object: self)
        } else {
            scene.setActivationState(.foregroundInactive)
            carDelegate?.sceneWillResignActive(scene)
            scene.setActivationState(.background)
            setState(.background)
            carDelegate?.sceneDidEnterBackground(scene)
            NotificationCenter.default.post(name: Self.didEnterBackgroundNotification, object: self)
        }
    }

    package func traitsChanged() {}

    package func willTerminate() {
        delegate?.applicationWillTerminate(self)
        NotificationCenter.default.post(name: Self.willTerminateNotification, object: self)
    }
}
