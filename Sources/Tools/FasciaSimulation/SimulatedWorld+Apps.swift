import FasciaSession

/// The apps and their watchdog.
extension SimulatedWorld {
    /// The driver chooses an app.
    func open(_ app: String) {
        // One that has the screen is only brought forward.
        guard attached != nil, !shown.contains(app) else { return }
        perform(scenes.opened(app), for: app)
    }

    func perform(_ steps: [SceneLifecycle.Step], for app: String) {
        for step in steps {
            switch step {
            case .startProcess: launch(app)
            case .connect(let scene): tell(app, "didConnect", scene)
            case .disconnect(let scene):
                if sabotage == .missedDisconnect {
                    let name = app
                    after(0) { [unowned self] in perform(scenes.didDisconnect(name, scene: scene), for: name) }
                    continue
                }
                tell(app, "didDisconnect", scene)
                if sabotage == .doubleDisconnect { tell(app, "didDisconnect", scene) }
                if sabotage == .lateCallback { tell(app, "tap", scene) }
            case .show: shown.insert(app)
            case .announceConnected(let scene):
                counts.sceneConnects += 1
                if let before = announced[app] { violate("\(app): scene \(scene) is announced while scene \(before) is") }
                announced[app] = scene
            case .announceDisconnected(let scene):
                counts.sceneDisconnects += 1
                if announced[app] != scene { violate("\(app): the end of scene \(scene) is announced, which was not there") }
                announced[app] = nil
            }
        }
    }

    private func launch(_ app: String) {
        lastPid += 1
        let process = SimulatedApp(app, pid: lastPid)
        if processes[app] != nil { violate("\(app) is launched while its process is there") }
        processes[app] = process
        process.temper = tempers.isEmpty ? .good : tempers.removeFirst()
        after(UInt64.random(in: 20...200, using: &random) * Self.millisecond) { [unowned self] in
            guard process.isAlive else { return }
            if process.temper == .crashes, random.chance(30) { return end(process) }
            perform(scenes.started(app, carPresent: phone?.hasSession == true), for: app)
        }
    }

    private func tell(_ app: String, _ what: String, _ scene: UInt64) {
        guard let process = processes[app] else { return violate("\(app): \(what) for a process that is not there") }
        process.inbox.append((what, scene))
        work(process)
    }

    /// One callback after the other.
    private func work(_ process: SimulatedApp) {
        guard process.isAlive, !process.isBusy, !process.inbox.isEmpty else { return }
        let (what, scene) = process.inbox.removeFirst()
        process.isBusy = true
        note(process, what, scene)
        let takes: UInt64 = switch process.temper {
        case .good: UInt64.random(in: 1...20, using: &random)
        case .slow: UInt64.random(in: 50...900, using: &random)
        case .hangs: 1_000_000
        case .crashes: UInt64.random(in: 1...50, using: &random)
        }
        let temper = process.temper
        if takes * Self.millisecond > settings.handlerBudget {
            return after(settings.handlerBudget) { [unowned self] in end(process) }
        }
        after(takes * Self.millisecond) { [unowned self] in
            guard process.isAlive else { return }
            if temper == .crashes { return end(process) }
            note(process, what + "-returns", scene)
            process.isBusy = false
            switch what {
            case "didConnect": perform(scenes.didConnect(process.name, scene: scene), for: process.name)
            case "didDisconnect": perform(scenes.didDisconnect(process.name, scene: scene), for: process.name)
            default: break
            }
            work(process)
        }
    }

    private func note(_ process: SimulatedApp, _ what: String, _ scene: UInt64) {
        if what == "tap-returns" { return }
        if let wrong = process.diary.note(.init(time: now, pid: process.pid, what: what, scene: Int(scene))) { violate("\(process.name): \(wrong)") }
    }

    /// It crashed, or the watchdog has ended it.
    func end(_ process: SimulatedApp) {
        guard process.isAlive else { return }
        process.isAlive = false
        processes[process.name] = nil
        shown.remove(process.name)
        perform(scenes.ended(process.name), for: process.name)
    }
}
