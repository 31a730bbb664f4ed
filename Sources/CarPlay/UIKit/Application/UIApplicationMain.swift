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
    AppMain.prepare()
    let application = UIApplication.shared
    if let delegateClassName {
        guard let type = ObjectFactory.findClass(delegateClassName, modules: []) else {
            Faults.endProcess(ExceptionName.internalInconsistency, "There is no class \(delegateClassName) for the application delegate.")
        }
        guard let delegate = ObjectFactory.create(type) as? any UIApplicationDelegate else {
            Faults.endProcess(ExceptionName.internalInconsistency, "The class \(delegateClassName) does not conform to UIApplicationDelegate.")
        }
        application.launch(delegate)
    }
    AppMain.run()
}
