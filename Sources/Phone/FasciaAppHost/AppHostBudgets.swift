/// How long an app may take before its watchdog ends it (DESIGN 6). Defaults as CarPlay's.
public struct AppHostBudgets: Sendable, Equatable {
    /// From the start of the process to its Hello.
    public var launch: Duration = .seconds(20)
    /// Any handler on the app's main thread: connecting a scene, a tap, a timer of the app's own.
    public var update: Duration = .seconds(10)
    /// From the moment the app comes to a scene disconnect to its reply.
    public var sceneDisconnect: Duration = .seconds(5)
    /// From the moment the app comes to a request to terminate to the end of the process.
    public var terminate: Duration = .seconds(2)

    public init() {}

    subscript(phase: WatchdogPhase) -> Duration {
        switch phase {
        case .launch: launch
        case .sceneConnect, .update: update
        case .sceneDisconnect: sceneDisconnect
        case .terminate: terminate
        }
    }
}
