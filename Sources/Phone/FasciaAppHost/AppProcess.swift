import Dispatch
import FasciaAppLink
import Foundation
import Logging

/// One running app process: its link, its log output, its budgets, its end.
///
///     launched --Hello--> ready --SceneDisconnect--> waiting for the reply --> ready
///         \________________\__ budget over, bad bytes, terminate __> ending --process gone--> exited
@MainActor
final class AppProcess {
    private enum Phase { case launched, ready, ending, exited }

    let pid: Int32
    var onEvent: ((AppHostEvent) -> Void)?
    private let bundle: AppBundle
    private let budgets: AppHostBudgets
    private let log: Logger
    private let connection: PhoneSideConnection
    private let output: Int32
    private var phase = Phase.launched
    private var fault: String?
    private var faultBudget = LineBudget()
    private var endedFor: AppHostError?
    private var exit: AppExit?
    private var launchTimer: Task<Void, Never>?
    private var sceneTimer: Task<Void, Never>?
    private var exitWaiters: [CheckedContinuation<Void, Never>] = []
    private var linkEnded = false
    private var status: AppExit.Status?

    var isReady: Bool { phase == .ready }

    init(bundle: AppBundle, budgets: AppHostBudgets, log: Logger) throws(AppHostError) {
        self.bundle = bundle
        self.budgets = budgets
        self.log = log
        let spawned = try ProcessSpawn.spawn(executable: bundle.executable, resources: bundle.resources)
        pid = spawned.pid
        output = spawned.output
        connection = PhoneSideConnection(carrier: SocketCarrier(descriptor: spawned.link, name: "app-\(spawned.pid)"))
    }

    func start() {
        let name = bundle.name
        let log = log
        OutputForwarder.start(descriptor: output) { line in log.info("[\(name)] \(line)") }
        let inbox = AppInbox { [weak self] event in self?.linkEvent(event) }
        connection.start { event in inbox.put(event) }
        ProcessWait.start(pid: pid) { [weak self] status in self?.processEnded(status) }
        launchTimer = timer(budgets.launch) { process in
            process.fail(AppHostError(.noHello, "\(name) did not say Hello within \(process.budgets.launch)"))
        }
    }

    /// Sends one message; false when the process is ending.
    func send(_ message: AppToApp) -> Bool {
        guard phase == .ready else { return false }
        do throws(AppLinkError) {
            try connection.send(message)
        } catch where error.code == .messageTooLarge {
            log.error("\(bundle.name): message not sent, \(error)")
            return false
        } catch {
            fail(AppHostError(.notReading, "\(bundle.name) does not read its messages (\(error))"))
            return false
        }
        if case .sceneDisconnect? = message.message { awaitSceneReply() }
        return true
    }

    func terminate(reason: String) {
        guard phase != .exited else { return }
        if phase == .ready {
            try? connection.send(.with { $0.terminate = .with { $0.reason = reason } })
            phase = .ending
            _ = timer(budgets.terminate) { process in process.kill() }
        } else {
            phase = .ending
            kill()
        }
    }

    func waitForExit() async {
        guard exit == nil else { return }
        await withCheckedContinuation { exitWaiters.append($0) }
    }

    // MARK: Events

    private func linkEvent(_ event: AppLinkEvent<AppFromApp>) {
        switch event {
        case .message(let message): received(message)
        case .drained: break
        case .ended(let error):
            linkEnded = true
            if let error, phase == .launched || phase == .ready, error.code != .truncated, error.code != .system {
                fail(AppHostError(.badBytes, "\(bundle.name) sent bytes the app link does not allow (\(error))"))
            }
            finishIfOver()
        }
    }

    private func received(_ message: AppFromApp) {
        switch (phase, message.message) {
        case (.launched, .hello(let hello)?):
            guard hello.version == AppLinkLimits.version else {
                return fail(AppHostError(.badHello, "\(bundle.name) speaks app link version \(hello.version), this phone \(AppLinkLimits.version)"))
            }
            launchTimer?.cancel()
            phase = .ready
            onEvent?(.ready)
        case (.launched, .fault(let fault)?): _ = note(fault)
        case (.launched, _):
            fail(AppHostError(.badHello, "\(bundle.name) sent another message before its Hello"))
        case (_, .fault(let fault)?):
            if note(fault), phase == .ready { onEvent?(.message(message)) }
        case (.ready, .sceneReply(let reply)?):
            if reply.kind == .disconnected { sceneTimer?.cancel() }
            onEvent?(.message(message))
        case (.ready, .hello?): log.warning("\(bundle.name): a second Hello was ignored")
        case (.ready, _?): onEvent?(.message(message))
        case (.ready, nil): break // a newer app's message this version does not know
        case (.ending, _), (.exited, _): break
        }
    }

    /// False for one fault too many: an app that reports without end fills no disk.
    private func note(_ fault: AppFault) -> Bool {
        let text = "\(fault.name): \(fault.reason)"
        if fault.fatal { self.fault = text }
        switch faultBudget.next(now: DispatchTime.now().uptimeNanoseconds) {
        case .pass: break
        case .passAfter(let leftOut): log.warning("\(bundle.name): \(leftOut) faults left out")
        case .drop: return fault.fatal
        }
        log.log(level: fault.fatal ? .error : .warning, "\(bundle.name): \(text)")
        return true
    }

    /// Reports a broken rule or budget and ends the process.
    private func fail(_ error: AppHostError) {
        guard phase == .launched || phase == .ready else { return }
        phase = .ending
        endedFor = error
        log.error("\(error)")
        onEvent?(.failed(error))
        kill()
    }

    /// Not once the process was waited for: its number may be another's by then.
    private func kill() {
        if status == nil { _ = Foundation.kill(pid, SIGKILL) }
    }

    private func processEnded(_ status: AppExit.Status) {
        self.status = status
        // A child that inherited the link could keep it open: what the app itself said has arrived or will within this time.
        _ = timer(.milliseconds(500)) { process in
            process.linkEnded = true
            process.finishIfOver()
        }
        finishIfOver()
    }

    /// `.exited` comes when both the process and what it had sent are through, so that its last Fault is not lost.
    private func finishIfOver() {
        guard let status, linkEnded, exit == nil else { return }
        let exit = AppExit(status: status, fault: fault, endedFor: endedFor)
        self.exit = exit
        phase = .exited
        launchTimer?.cancel()
        sceneTimer?.cancel()
        connection.close()
        log.log(level: exit.isOrderly ? .info : .error, "\(bundle.name) \(exit)")
        onEvent?(.exited(exit))
        for waiter in exitWaiters { waiter.resume() }
        exitWaiters = []
    }

    private func awaitSceneReply() {
        sceneTimer?.cancel()
        sceneTimer = timer(budgets.sceneDisconnect) { process in
            process.fail(
                AppHostError(.sceneTimeout, "\(process.bundle.name) did not finish its scene disconnect within \(process.budgets.sceneDisconnect)"))
        }
    }

    private func timer(_ duration: Duration, _ action: @escaping @MainActor (AppProcess) -> Void) -> Task<Void, Never> {
        Task { [weak self] in
            guard (try? await Task.sleep(for: duration)) != nil, let self, self.phase != .exited else { return }
            action(self)
        }
    }
}
