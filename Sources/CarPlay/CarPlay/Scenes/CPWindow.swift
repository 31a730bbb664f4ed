/// The window behind a navigation app's map template.
@preconcurrency @MainActor
open class CPWindow: UIWindow {
    public let mapButtonSafeAreaLayoutGuide = UILayoutGuide()
    open weak var templateApplicationScene: CPTemplateApplicationScene?

    public override init(frame: CGRect = .zero) { super.init(frame: frame) }
}

extension UISceneSession.Role {
    public static let carTemplateApplication = UISceneSession.Role(rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
    public static let CPTemplateApplicationDashboardSceneSessionRoleApplication = UISceneSession.Role(
        rawValue: "CPTemplateApplicationDashboardSceneSessionRoleApplication")
    public static let CPTemplateApplicationInstrumentClusterSceneSessionRoleApplication = UISceneSession.Role(
        rawValue: "CPTemplateApplicationInstrumentClusterSceneSessionRoleApplication")
}
