/// What an app was doing when its time was up.
public enum WatchdogPhase: String, Sendable, Hashable, CaseIterable, Codable {
    /// The process started and has not said Hello.
    case launch
    /// Its scene delegate's connect method.
    case sceneConnect = "scene-connect"
    /// Any other handler on its main thread.
    case update
    /// Its scene delegate's disconnect method.
    case sceneDisconnect = "scene-disconnect"
    /// It was asked to end.
    case terminate
}

/// An app is taking long, or has taken too long.
public struct WatchdogNotice: Sendable, Equatable {
    public let phase: WatchdogPhase
    /// What the phase may take.
    public let budget: Duration
    /// What it has taken so far, wall clock.
    public let elapsed: Duration
}
