/// Where each app's car scene is. One scene an app at a time, and each that was connected is disconnected exactly once,
/// whatever happens to link, app or phone in between.
///
/// ```
///            launch           app said hello            didConnect returned
///  absent ----------> starting ------------> connecting ------------------> connected
///    ^                                           |                              |
///    |  process ended (from anywhere)            | car gone                     | car gone
///    +-------------- idle <------ disconnecting <+------------------------------+
///                     |  didDisconnect returned
///                     +--> connecting   (the app is opened again; its process lives on)
/// ```
struct AppScenes {
    enum State: Equatable {
        case absent
        case starting
        /// Process there, no scene.
        case idle
        case connecting(scene: UInt64)
        case connected(scene: UInt64)
        /// `reopen`: the driver chose the app again before its old scene was through.
        case disconnecting(scene: UInt64, reopen: Bool)
    }

    /// What to do after an event.
    enum Step: Equatable {
        case startProcess
        case connect(scene: UInt64)
        case disconnect(scene: UInt64)
        case announceConnected(scene: UInt64)
        case announceDisconnected(scene: UInt64)
    }

    private var states: [String: State] = [:]
    private var lastScene: UInt64 = 0

    subscript(app: String) -> State { states[app] ?? .absent }
    /// Apps with a process.
    var running: [String] { states.keys.filter { self[$0] != .absent }.sorted() }

    /// The driver opened the app.
    mutating func opened(_ app: String) -> Step? {
        switch self[app] {
        case .absent:
            states[app] = .starting
            return .startProcess
        case .idle: return connect(app)
        case .disconnecting(let scene, _):
            states[app] = .disconnecting(scene: scene, reopen: true)
            return nil
        case .starting, .connecting, .connected: return nil
        }
    }

    /// The app's process said hello. Its scene connects if there is a car to connect it to.
    mutating func started(_ app: String, carPresent: Bool) -> Step? {
        guard self[app] == .starting else { return nil }
        states[app] = .idle
        return carPresent ? connect(app) : nil
    }

    mutating func didConnect(_ app: String, scene: UInt64) -> Step? {
        guard self[app] == .connecting(scene: scene) else { return nil }
        states[app] = .connected(scene: scene)
        return .announceConnected(scene: scene)
    }

    /// The car's session is over.
    mutating func carGone(_ app: String) -> Step? {
        switch self[app] {
        case .connecting(let scene), .connected(let scene):
            states[app] = .disconnecting(scene: scene, reopen: false)
            return .disconnect(scene: scene)
        case .disconnecting(let scene, _):
            states[app] = .disconnecting(scene: scene, reopen: false)
            return nil
        case .absent, .starting, .idle: return nil
        }
    }

    /// `didDisconnect` returned.
    mutating func didDisconnect(_ app: String, scene: UInt64) -> [Step] {
        guard case .disconnecting(scene, let reopen) = self[app] else { return [] }
        states[app] = .idle
        return [.announceDisconnected(scene: scene)] + (reopen ? [connect(app)] : [])
    }

    /// The process is gone, and its scene with it.
    mutating func ended(_ app: String) -> Step? {
        defer { states[app] = .absent }
        switch self[app] {
        case .connecting(let scene), .connected(let scene), .disconnecting(let scene, _): return .announceDisconnected(scene: scene)
        case .absent, .starting, .idle: return nil
        }
    }

    private mutating func connect(_ app: String) -> Step {
        lastScene += 1
        states[app] = .connecting(scene: lastScene)
        return .connect(scene: lastScene)
    }
}
