/// A navigation app's scene on the dashboard. Never connected in this version.
@preconcurrency @MainActor
open class CPTemplateApplicationDashboardScene: UIScene {
    public let dashboardController = CPDashboardController()
    public let dashboardWindow = UIWindow(frame: .zero)

    public var delegate: (any CPTemplateApplicationDashboardSceneDelegate)? {
        get { sceneDelegate as? any CPTemplateApplicationDashboardSceneDelegate }
        set { sceneDelegate = newValue }
    }
}

@preconcurrency @MainActor
public protocol CPTemplateApplicationDashboardSceneDelegate: UISceneDelegate {
    func templateApplicationDashboardScene(
        _ templateApplicationDashboardScene: CPTemplateApplicationDashboardScene, didConnect dashboardController: CPDashboardController,
        to window: UIWindow)
    func templateApplicationDashboardScene(
        _ templateApplicationDashboardScene: CPTemplateApplicationDashboardScene, didDisconnect dashboardController: CPDashboardController,
        from window: UIWindow)
}

extension CPTemplateApplicationDashboardSceneDelegate {
    public func templateApplicationDashboardScene(
        _ templateApplicationDashboardScene: CPTemplateApplicationDashboardScene, didConnect dashboardController: CPDashboardController,
        to window: UIWindow
    ) {}
    public func templateApplicationDashboardScene(
        _ templateApplicationDashboardScene: CPTemplateApplicationDashboardScene, didDisconnect dashboardController: CPDashboardController,
        from window: UIWindow
    ) {}
}

open class CPDashboardController: NSObject {
    open var shortcutButtons: [CPDashboardButton] = []
}

open class CPDashboardButton: NSObject, _CPCoding {
    let handler: ((CPDashboardButton) -> Void)?
    public let image: UIImage
    public let titleVariants: [String]
    public let subtitleVariants: [String]

    public init(titleVariants: [String], subtitleVariants: [String], image: UIImage, handler: ((CPDashboardButton) -> Void)? = nil) {
        self.titleVariants = titleVariants
        self.subtitleVariants = subtitleVariants
        self.image = image
        self.handler = handler
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }
}
