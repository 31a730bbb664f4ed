public enum CPInstrumentClusterSetting: UInt, Sendable { case unspecified, enabled, disabled, userPreference }

/// A navigation app's scene in the instrument cluster. Never connected in this version.
@preconcurrency @MainActor
open class CPTemplateApplicationInstrumentClusterScene: UIScene {
    public let instrumentClusterController = CPInstrumentClusterController()
    public var contentStyle: UIUserInterfaceStyle { UITraitCollection.car.userInterfaceStyle }

    public var delegate: (any CPTemplateApplicationInstrumentClusterSceneDelegate)? {
        get { sceneDelegate as? any CPTemplateApplicationInstrumentClusterSceneDelegate }
        set { sceneDelegate = newValue }
    }
}

@preconcurrency @MainActor
public protocol CPTemplateApplicationInstrumentClusterSceneDelegate: _CPContentStyleObserving {
    func templateApplicationInstrumentClusterScene(
        _ templateApplicationInstrumentClusterScene: CPTemplateApplicationInstrumentClusterScene,
        didConnect instrumentClusterController: CPInstrumentClusterController)
    func templateApplicationInstrumentClusterScene(
        _ templateApplicationInstrumentClusterScene: CPTemplateApplicationInstrumentClusterScene,
        didDisconnectInstrumentClusterController instrumentClusterController: CPInstrumentClusterController)
}

extension CPTemplateApplicationInstrumentClusterSceneDelegate {
    public func templateApplicationInstrumentClusterScene(
        _ templateApplicationInstrumentClusterScene: CPTemplateApplicationInstrumentClusterScene,
        didConnect instrumentClusterController: CPInstrumentClusterController
    ) {}
    public func templateApplicationInstrumentClusterScene(
        _ templateApplicationInstrumentClusterScene: CPTemplateApplicationInstrumentClusterScene,
        didDisconnectInstrumentClusterController instrumentClusterController: CPInstrumentClusterController
    ) {}
}

open class CPInstrumentClusterController: NSObject {
    open weak var delegate: (any CPInstrumentClusterControllerDelegate)?
    public var instrumentClusterWindow: UIWindow? { nil }
    public var speedLimitSetting: CPInstrumentClusterSetting { .unspecified }
    public var compassSetting: CPInstrumentClusterSetting { .unspecified }
    open var inactiveDescriptionVariants: [String] = []
    open var attributedInactiveDescriptionVariants: [NSAttributedString] = []
}

public protocol CPInstrumentClusterControllerDelegate: NSObjectProtocol {
    func instrumentClusterControllerDidConnect(_ instrumentClusterWindow: UIWindow)
    func instrumentClusterControllerDidDisconnectWindow(_ instrumentClusterWindow: UIWindow)
    func instrumentClusterControllerDidZoom(in instrumentClusterController: CPInstrumentClusterController)
    func instrumentClusterControllerDidZoomOut(_ instrumentClusterController: CPInstrumentClusterController)
    func instrumentClusterController(
        _ instrumentClusterController: CPInstrumentClusterController, didChangeCompassSetting compassSetting: CPInstrumentClusterSetting)
    func instrumentClusterController(
        _ instrumentClusterController: CPInstrumentClusterController, didChangeSpeedLimitSetting speedLimitSetting: CPInstrumentClusterSetting)
}

extension CPInstrumentClusterControllerDelegate {
    public func instrumentClusterControllerDidZoom(in instrumentClusterController: CPInstrumentClusterController) {}
    public func instrumentClusterControllerDidZoomOut(_ instrumentClusterController: CPInstrumentClusterController) {}
    public func instrumentClusterController(
        _ instrumentClusterController: CPInstrumentClusterController, didChangeCompassSetting compassSetting: CPInstrumentClusterSetting
    ) {}
    public func instrumentClusterController(
        _ instrumentClusterController: CPInstrumentClusterController, didChangeSpeedLimitSetting speedLimitSetting: CPInstrumentClusterSetting
    ) {}
}
