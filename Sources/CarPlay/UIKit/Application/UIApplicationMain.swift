import FasciaAppRuntime

/// Starts the app: makes its delegate, lets it finish launching, connects to the phone and runs the main loop. Does not return.
/// - Parameters:
///   - principalClassName: must be nil or "UIApplication"; other application classes are not supported.
///   - delegateClassName: the delegate's class as `Module.Class`.
@discardableResult
@preconcurrency @MainActor
public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ principalClassName: String?, _ delegateClassName: String?
) -> Int32 {
    guard let delegateClassName else { UIApplication.run(delegate: nil) }
    guard let type = ObjectFactory.findClass(delegateClassName, modules: []) else {
        AppMain.prepare()
        Faults.endProcess(ExceptionName.internalInconsistency, "There is no class \(delegateClassName) for the application delegate.")
    }
    UIApplication.run(delegate: type)
}

extension UIApplication {
    static func run(delegate type: NSObject.Type?) -> Never {
        AppMain.prepare()
        if let type {
            guard let delegate = ObjectFactory.create(type) as? any UIApplicationDelegate else {
                Faults.endProcess(
                    ExceptionName.internalInconsistency, "The class \(String(reflecting: type)) does not conform to UIApplicationDelegate.")
            }
            shared.launch(delegate)
        }
        AppMain.run()
    }
}
