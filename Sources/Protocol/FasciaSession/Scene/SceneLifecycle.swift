/// Where each app's car scene is. One scene an app at a time; each that was asked to connect is asked to disconnect at most once
/// and is over exactly once, whatever happens to link, app or phone in between.
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
/// Nothing here waits: while the old scene's handler hangs, an app that is opened again stays `disconnecting` until the
/// handler returns or the watchdog ends the process, and then connects (the process living) or is launched again.
public struct SceneLifecycle: Sendable {
    public enum State: Equatable, Sendable {
        case absent
        case starting
        /// Process there, no scene.
        case idle
        case connecting(scene: UInt64)
        case connected(scene: UInt64)
        /// - Parameters:
        ///   - announced: the scene was announced as connected, so its end will be.
        ///   - reopen: the driver chose the app again before its old scene was through.
        case disconnecting(scene: UInt64, announced: Bool, reopen: Bool)
    }

    /// What to do after an event.
    public enum Step: Equatable, Sendable {
        case startProcess
        /// Ask the app to connect a scene.
        case connect(scene: UInt64)
        /// Ask the app to disconnect its scene.
        case disconnect(scene: UInt64)
        /// The app has the screen it was given. Not for a scene whose car has gone before `didConnect` returned: that app is away, and
        /// has to be opened again.
        case show(scene: UInt64)
        /// `didConnect` has returned.
        case announceConnected(scene: UInt64)
        /// `didDisconnect` has returned, or the process is gone. Once for each announced connect, and never without one.
        case announceDisconnected(scene: UInt64)
    }

    private var states: [String: State] = [:]
    private var lastScene: UInt64 = 0

    public init() {}

    public subscript(app: String) -> State { states[app] ?? .absent }
    public func isConnected(_ app: String) -> Bool { if case .connected = self[app] { true } else { false } }
    /// Apps with a process.
    public var running: [String] { states.keys.filter { self[$0] != .absent }.sorted() }

    /// The driver opened the app.
    public mutating func opened(_ app: String) -> [Step] {
        switch self[app] {
        case .absent:
            states[app] = .starting
            return [.startProcess]
        case .idle: return [connect(app)]
        case .disconnecting(let scene, let announced, _):
            states[app] = .disconnecting(scene: scene, announced: announced, reopen: true)
            return []
        case .starting, .connecting, .connected: return []
        }
    }

    /// The app's process said hello. Its scene connects if there is a car to connect it to.
    public mutating func started(_ app: String, carPresent: Bool) -> [Step] {
        guard self[app] == .starting else { return [] }
        states[app] = .idle
        return carPresent ? [connect(app)] : []
    }

    /// `didConnect` returned.
    public mutating func didConnect(_ app: String, scene: UInt64) -> [Step] {
        switch self[app] {
        case .connecting(scene):
            states[app] = .connected(scene: scene)
            return [.announceConnected(scene: scene), .show(scene: scene)]
        case .disconnecting(scene, announced: false, let reopen):
            states[app] = .disconnecting(scene: scene, announced: true, reopen: reopen)
            return [.announceConnected(scene: scene)]
        default: return []
        }
    }

    /// The car's session is over.
    public mutating func carGone(_ app: String) -> [Step] {
        switch self[app] {
        case .connecting(let scene):
            states[app] = .disconnecting(scene: scene, announced: false, reopen: false)
            return [.disconnect(scene: scene)]
        case .connected(let scene):
            states[app] = .disconnecting(scene: scene, announced: true, reopen: false)
            return [.disconnect(scene: scene)]
        case .disconnecting(let scene, let announced, _):
            states[app] = .disconnecting(scene: scene, announced: announced, reopen: false)
            return []
        case .absent, .starting, .idle: return []
        }
    }

    /// `didDisconnect` returned.
    public mutating func didDisconnect(_ app: String, scene: UInt64) -> [Step] {
        guard case .disconnecting(scene, let announced, let reopen) = self[app] else { return [] }
        states[app] = .idle
        return (announced ? [.announceDisconnected(scene: scene)] : []) + (reopen ? [connect(app)] : [])
    }

    /// The process is gone, and its scene with it. An app that was opened again meanwhile is launched anew.
    public mutating func ended(_ app: String) -> [Step] {
        let state = self[app]
        states[app] = .absent
        switch state {
        case .connected(let scene): return [.announceDisconnected(scene: scene)]
        case .disconnecting(let scene, let announced, let reopen):
            return (announced ? [.announceDisconnected(scene: scene)] : []) + (reopen ? opened(app) : [])
        case .absent, .starting, .idle, .connecting: return []
        }
    }

    private mutating func connect(_ app: String) -> Step {
        lastScene += 1
        states[app] = .connecting(scene: lastScene)
        return .connect(scene: lastScene)
    }
}
