import FasciaAppHost
import FasciaAppLink
import FasciaEvents
import FasciaSession
import FasciaTemplateUI
import SwiftProtobuf

/// The apps' side: what the UI asks of them, what they answer, how they end.
extension Phone {
    func takeActions() {
        for action in screen.interface.takeActions() {
            switch action {
            case .launch(let app): perform(scenes.opened(app), for: app)
            case .send(let message, to: let app): host.send(app, message)
            case .playbackKey(let key): log.debug("key \(key): nothing plays")
            case .voice: log.info("voice key: there is no assistant on this phone")
            case .log(let line): log.info("\(line)")
            }
        }
    }

    func perform(_ steps: [SceneLifecycle.Step], for app: String) {
        for step in steps { perform(step, for: app) }
    }

    private func perform(_ step: SceneLifecycle.Step, for app: String) {
        switch step {
        case .startProcess:
            screen.application(app, .launching)
            host.launch(app)
        case .connect(let scene):
            screen.application(app, .launching)
            var message = AppToApp()
            message.sceneConnect.scene = scene
            message.sceneConnect.traits = screen.traits.appTraits
            message.sceneConnect.sessionIdentifier = "\(app)/\(scene)"
            host.send(app, message)
        case .disconnect(let scene):
            // The driver left the car: nothing goes on playing. Before the disconnect, so that the app's handler finds it done.
            if let pause = screen.interface.pauseCommand(for: app), host.send(app, pause) { events.emit("media-paused", ["app": .string(app)]) }
            var message = AppToApp()
            message.sceneDisconnect.scene = scene
            message.sceneDisconnect.reason = "the car disconnected"
            host.send(app, message)
        case .show: screen.application(app, .connected)
        case .announceConnected(let scene): events.emit("scene-connected", ["app": .string(app), "scene": .unsigned(scene)])
        case .announceDisconnected(let scene): events.emit("scene-disconnected", ["app": .string(app), "scene": .unsigned(scene)])
        }
    }

    func appEvent(_ app: String, _ event: AppHostEvent) {
        switch event {
        case .launched(let pid, let socket):
            sound.post(.appLaunched(app, socket))
            events.emit("app-launched", ["app": .string(app), "pid": .integer(Int64(pid))])
        case .ready: perform(scenes.started(app, carPresent: carPresent), for: app)
        case .message(let message): appMessage(app, message)
        case .watchdogWarning(let notice):
            var fields = notice.fields
            fields["app"] = .string(app)
            events.emit("watchdog-warning", fields, narrated: false) // the log has it in words
        case .watchdog(let notice, let report):
            var fields = notice.fields
            fields["app"] = .string(app)
            fields["code"] = .string(AppExit.watchdogCode)
            fields["report"] = report.map { .string($0) } ?? .null
            events.emit("watchdog", fields)
        case .failed(let error):
            events.emit("app-failed", ["app": .string(app), "code": .string(error.code.name), "error": .string(error.description)])
            // The watchdog looks at the process for a moment before it ends it; the driver need not wait for that.
            screen.application(app, .stopped(reason: error.description))
            if !host.isRunning(app) { appGone(app, reason: error.description) }
        case .exited(let exit):
            events.emit("app-exited", ["app": .string(app), "cause": .string(exit.cause.rawValue), "status": .string(exit.description)], narrated: exit.fault == nil) // a fault's long text was told already
            appGone(app, reason: exit.isOrderly ? nil : exit.fault ?? exit.description)
        }
        screen.turn()
    }

    func appMessage(_ app: String, _ message: AppFromApp) {
        log.trace("\(app): \(message.textFormatString())")
        switch message.message {
        case .sceneReply(let reply) where reply.kind == .connected:
            perform(scenes.didConnect(app, scene: reply.scene), for: app)
        case .sceneReply(let reply) where reply.kind == .disconnected:
            perform(scenes.didDisconnect(app, scene: reply.scene), for: app)
        case .fault(let fault):
            events.emit("app-fault", ["app": .string(app), "name": .string(fault.name), "reason": .string(fault.reason), "fatal": .bool(fault.fatal)], narrated: false)
        default: screen.interface.receive(message, from: app, now: MonotonicClock.now())
        }
    }

    func appGone(_ app: String, reason: String?) {
        sound.post(.appGone(app))
        let steps = scenes.ended(app)
        // One that was opened again meanwhile is launched anew: the driver waits for that.
        if !steps.contains(.startProcess) { screen.application(app, .stopped(reason: reason)) }
        perform(steps, for: app)
    }
}

extension WatchdogNotice {
    /// As events have it.
    var fields: [String: EventValue] {
        ["phase": .string(phase.rawValue), "budget_ms": .integer(budget.milliseconds), "elapsed_ms": .integer(elapsed.milliseconds)]
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
