import FasciaAppRuntime

/// The machine the app runs on.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    public static let current = UIDevice()

    public var name: String { ProcessInfo.processInfo.hostName }
    public var model: String { "Linux" }
    public var systemName: String { "Linux" }
    public var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
}

/// The phone has no screen here; its size is that of the car's when one is connected.
@preconcurrency @MainActor
open class UIScreen: NSObject {
    public static let main = UIScreen()

    public var scale: CGFloat { max(1, CGFloat(AppSession.shared.traits.scale)) }
    public var bounds: CGRect {
        CGRect(x: 0, y: 0, width: CGFloat(AppSession.shared.traits.width), height: CGFloat(AppSession.shared.traits.height))
    }
}
