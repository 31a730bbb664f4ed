import FasciaEvents

/// What the phone says of scenes and apps, in its events: each scene connects once and disconnects once, and not without a reason.
struct SceneLedger {
    private struct App {
        var pid: Int32?
        /// Connected as announced.
        var scene: Int64?
        /// Highest scene that was announced at all, by either event.
        var last: Int64 = 0
        /// The session is over, or the process: the scene's disconnect must follow.
        var mustDisconnect = false
        /// The session ended while a scene may have been connecting, unannounced: it is announced late, and then disconnects.
        var sessionEnded: UInt64?
        var mayDisconnect = false
        /// This process was told of so many scenes, as far as the phone announced it.
        var connects = 0
        var disconnects = 0
    }

    /// Longest a didConnect may run before the watchdog ends it, and some, nanoseconds.
    private static let longestConnect = UInt64(ProgramFlags.updateBudget + 500) * 1_000_000
    private var apps: [String: App] = [:]

    /// Processes of apps that should be there.
    var pids: [Int32] { apps.values.compactMap(\.pid) }

    /// What has to come before all is quiet.
    var open: [String] {
        apps.compactMap { id, app in
            app.scene != nil && app.mustDisconnect ? "scene-disconnected of \(id) scene \(app.scene ?? 0)" : nil
        }
    }

    func isConnected(_ app: String) -> Bool { apps[app]?.scene != nil }
    func pid(of app: String) -> Int32? { apps[app]?.pid }
    func counts(of app: String) -> (connects: Int, disconnects: Int) { (apps[app]?.connects ?? 0, apps[app]?.disconnects ?? 0) }

    /// - Returns: what is wrong with it, nil when nothing is.
    mutating func note(_ record: EventRecord) -> String? {
        if record.event == "disconnected" {
            for id in apps.keys {
                if apps[id]?.scene != nil { apps[id]?.mustDisconnect = true } else { apps[id]?.sessionEnded = record.time }
            }
            return nil
        }
        guard let id = record["app"]?.string else { return nil }
        var app = apps[id] ?? App()
        defer { apps[id] = app }
        switch record.event {
        case "app-launched":
            defer { app = App(pid: record["pid"]?.integer.flatMap { Int32(exactly: $0) }, last: app.last) }
            if app.pid != nil { return "\(id) launched while its process before had not exited" }
            return app.scene == nil ? nil : "\(id) launched while scene \(app.scene ?? 0) was connected"
        case "app-exited", "app-failed":
            if record.event == "app-exited" { app.pid = nil }
            app.mustDisconnect = app.scene != nil
            return nil
        case "scene-connected":
            let scene = record["scene"]?.integer ?? 0
            defer {
                app.scene = scene
                app.last = max(app.last, scene)
                app.mustDisconnect = false
                app.mayDisconnect = app.sessionEnded.map { record.time < $0 + Self.longestConnect } ?? false
                app.sessionEnded = nil
                app.connects += 1
            }
            if let old = app.scene { return "scene-connected of \(id) scene \(scene) while scene \(old) is connected" }
            return scene > app.last ? nil : "scene-connected of \(id) scene \(scene) after scene \(app.last)"
        case "scene-disconnected":
            let scene = record["scene"]?.integer ?? 0
            defer {
                if app.scene == scene { app.scene = nil }
                app.last = max(app.last, scene)
                app.mustDisconnect = false
                app.mayDisconnect = false
                app.disconnects += 1
            }
            if let connected = app.scene {
                guard connected == scene else { return "scene-disconnected of \(id) scene \(scene) while scene \(connected) is connected" }
                return app.mustDisconnect || app.mayDisconnect ? nil : "scene-disconnected of \(id) scene \(scene) without an end of session or process"
            }
            // A scene that was still connecting is announced by its end only.
            guard scene > app.last else { return "scene-disconnected of \(id) scene \(scene) once more" }
            app.connects += 1
            return nil
        default: return nil
        }
    }

    /// The phone's process is gone, and with it everything it knew.
    mutating func phoneEnded() { apps = [:] }
}
