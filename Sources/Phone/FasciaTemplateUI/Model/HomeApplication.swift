/// An app on the home screen.
public struct HomeApplication: Sendable, Equatable {
    /// Bundle identifier.
    public var id: String
    public var name: String
    /// PNG, JPEG ...; nil = a tile with the name's first letter.
    public var icon: [UInt8]?

    public init(id: String, name: String, icon: [UInt8]? = nil) {
        self.id = id
        self.name = name
        self.icon = icon
    }
}

/// How an app's process stands.
public enum ApplicationState: Sendable, Equatable {
    case launching
    /// Its scene is connected.
    case connected
    /// The car left it: its process may live on, its screens are gone. Nothing is said about it.
    case disconnected
    /// The process is gone; the reason is shown to the driver.
    case stopped(reason: String?)
}
