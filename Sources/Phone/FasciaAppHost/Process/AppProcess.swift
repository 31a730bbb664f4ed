import Dispatch
import FasciaAppLink
import FasciaAppSound
import Foundation
import Logging

/// One running app process: its link, its log output, its budgets, its end.
///
///     launched --Hello--> ready --terminate--> terminating --+
///         \________________\__ budget over, bad bytes _______\--> dying --process gone--> exited
@MainActor
final class AppProcess {
    private enum Phase { case launched, ready, terminating, dying, exited }

    let pid: Int32
    /// The phone's end of the app's sound.
    let sound: PhoneSoundSocket
    var onEvent: ((AppHostEvent) -> Void)?
    private let bundle: AppBundle
    private let watch: AppWatch
    private let log: Logger
    private let connection: PhoneSideConnection
    private let output: Int32
    private let backtraces: Int32
    private let reports: ReportStore?
    private let symbolicator: Symbolicator?
    private var atWarning: ThreadList?
    /// A thread of ours looks at the process: it is neither killed nor collected meanwhile, so that its number stays its own.
    private var isLookedAt = false
    private var isReportUnderWay = false
    private var hasEnded = false
    private var phase = Phase.launched
    private var fault: String?
    private var faultBudget = LineBudget()
    private var endedFor: AppHostError?
    private var overran: WatchdogNotice?
    private var exit: AppExit?
    private var exitWaiters: [CheckedContinuation<Void, Never>] = []
    private var linkEnded = false
    private var status: AppExit.Status?

    var isReady: Bool { phase == .ready }

    init(bundle: AppBundle, budgets: AppHostBudgets, reports: ReportStore?, symbolicator: Symbolicator?, log: Logger) throws(AppHostError) {
        self.bundle = bundle
        watch = AppWatch(budgets: budgets)
        self.reports = reports
        self.symbolicator = symbolicator
        self.log = log
        let spawned = try ProcessSpawn.spawn(executable: bundle.executable, resources: bundle.resources)
        pid = spawned.pid
        output = spawned.output
        backtraces = spawned.backtraces
        sound = spawned.sound
        connection = PhoneSideConnection(carrier: SocketCarrier(descriptor: spawned.link, name: "app-\(spawned.pid)"))
    }

    func start() {
        let name = bundle.name
        let log = log
        let said = OutputForwarder.start(descriptor: output) { line in log.info("[\(name)] \(line)") }
        let inbox = AppInbox { [weak self] event in self?.linkEvent(event) }
        connection.start { event in inbox.put(event) }
        ProcessWait.start(pid: pid, output: said) { [weak self] in self?.processEnded() }
        watch.ask = { [weak self] number in self?.transmit(.with { $0.ping.number = number }) }
        watch.onWarning = { [weak self] notice in self?.warn(notice) }
        watch.onOverrun = { [weak self] notice in self?.overrun(notice) }
        watch.expect(.hello)
    }

    /// Sends one message; false when the process is ending.
    func send(_ message: AppToApp) -> Bool {
        guard phase == .ready, transmit(message) else { return false }
        switch message.message {
        case .sceneConnect(let connect)?:
            watch.expect(.connected(scene: connect.scene))
            watch.isOnScreen = true
        case .sceneDisconnect(let disconnect)?:
            watch.isOnScreen = false
            watch.expect(.disconnected(scene: disconnect.scene))
        default: watch.sentMessage()
        }
        return true
    }

    @discardableResult
    private func transmit(_ message: AppToApp) -> Bool {
        do throws(AppLinkError) {
            try connection.send(message)
            return true
        } catch where error.code == .messageTooLarge {
            log.error("\(bundle.name): message not sent, \(error)")
        } catch {
            fail(AppHostError(.notReading, "\(bundle.name) does not read its messages (\(error))"))
        }
        return false
    }

    func terminate(reason: String) {
        switch phase {
        case .ready:
            phase = .terminating
            watch.isOnScreen = false
            transmit(.with { $0.terminate = .with { $0.reason = reason } })
            watch.expect(.end)
        case .launched:
            phase = .dying
            watch.stop()
            kill()
        case .terminating, .dying, .exited: break
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
            if let error, phase != .dying, error.code != .truncated, error.code != .system {
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
            phase = .ready
            watch.answered(.hello)
            watch.answersPings = hello.answersPings
            onEvent?(.ready)
        case (.launched, .fault(let fault)?): _ = note(fault)
        case (.launched, _):
            fail(AppHostError(.badHello, "\(bundle.name) sent another message before its Hello"))
        case (_, .fault(let fault)?):
            if note(fault), phase == .ready { onEvent?(.message(message)) }
        case (.ready, .sceneReply(let reply)?), (.terminating, .sceneReply(let reply)?):
            watch.answered(reply.kind == .disconnected ? .disconnected(scene: reply.scene) : .connected(scene: reply.scene))
            onEvent?(.message(message))
        case (.ready, .pong(let pong)?), (.terminating, .pong(let pong)?): watch.answered(.pong(pong.number))
        case (.ready, .hello?): log.warning("\(bundle.name): a second Hello was ignored")
        case (.ready, _?): onEvent?(.message(message))
        case (.ready, nil): break // a newer app's message this version does not know
        case (.terminating, _), (.dying, _), (.exited, _): break
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

    private func warn(_ notice: WatchdogNotice) {
        atWarning = ThreadList(pid: pid)
        log.warning("\(bundle.name): \(notice.phase.rawValue) has taken \(Self.seconds(notice.elapsed)) of \(Self.seconds(notice.budget))")
        onEvent?(.watchdogWarning(notice))
    }

    private func overrun(_ notice: WatchdogNotice) {
        guard phase != .dying, phase != .exited else { return }
        if let tracer = ProcFile.tracer(of: pid) {
            log.notice("\(bundle.name): its time is up, but process \(tracer) debugs it: the watchdog waits")
            return watch.startAgain()
        }
        guard !hasEnded else { return }
        overran = notice
        isLookedAt = true
        isReportUnderWay = true
        fail(AppHostError(.watchdog, "\(bundle.name) took longer than \(Self.seconds(notice.budget)) for its \(notice.phase.rawValue)"))
        let maker = ReportMaker(
            bundle: .init(id: bundle.id, name: bundle.name, executable: bundle.executable, pid: pid), notice: notice, atWarning: atWarning,
            backtraces: BacktracePipe(pid: pid, descriptor: backtraces, signal: ProcessSpawn.reportSignal), store: reports, symbolicator: symbolicator)
        maker.start { [self] in
            isLookedAt = false
            if hasEnded { reap() } else { kill() }
        } made: { [self] made in
            isReportUnderWay = false
            if let problem = made.problem { log.warning("\(bundle.name): \(problem)") }
            if let path = made.path { log.error("\(bundle.name): what it was doing is in \(ReportStore.text(of: path))") }
            onEvent?(.watchdog(notice, report: made.path))
            finishIfOver()
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        duration.formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow))
    }

    /// Reports a broken rule or budget and ends the process.
    private func fail(_ error: AppHostError) {
        guard phase != .dying, phase != .exited else { return }
        phase = .dying
        watch.stop()
        endedFor = error
        log.error("\(error)")
        onEvent?(.failed(error))
        kill()
    }

    /// Not once the process was reaped: its number may be another's by then. A process that is looked at is killed right after.
    private func kill() {
        if status == nil, !isLookedAt { _ = Foundation.kill(pid, SIGKILL) }
    }

    private func processEnded() {
        hasEnded = true
        watch.stop()
        if !isLookedAt { reap() }
    }

    private func reap() {
        guard status == nil else { return }
        status = ProcessWait.reap(pid: pid)
        close(backtraces)
        // A child that inherited the link could keep it open: what the app itself said has arrived or will within this time.
        Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(500))
            self?.linkEnded = true
            self?.finishIfOver()
        }
        finishIfOver()
    }

    /// `.exited` comes when both the process and what it had sent are through, so that its last Fault is not lost.
    private func finishIfOver() {
        guard let status, linkEnded, !isReportUnderWay, exit == nil else { return }
        let exit = AppExit(status: status, fault: fault, endedFor: endedFor, watchdog: overran)
        self.exit = exit
        phase = .exited
        connection.close()
        log.log(level: exit.isOrderly ? .info : .error, "\(bundle.name) \(exit)")
        onEvent?(.exited(exit))
        for waiter in exitWaiters { waiter.resume() }
        exitWaiters = []
    }
}
