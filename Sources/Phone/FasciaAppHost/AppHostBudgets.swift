/// How long an app may take before it is ended. Defaults as CarPlay's watchdog.
public struct AppHostBudgets: Sendable {
    /// From the start of the process to its Hello.
    public var launch: Duration = .seconds(20)
    /// From a scene disconnect to the app's reply.
    public var sceneDisconnect: Duration = .seconds(5)
    /// From the request to terminate to the end of the process.
    public var terminate: Duration = .seconds(2)

    public init() {}
}
