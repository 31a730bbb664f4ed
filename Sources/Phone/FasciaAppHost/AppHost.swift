import FasciaAppLink
import Logging

/// Starts apps, one process each, and speaks the App Link with them. An app that crashes, hangs or sends garbage ends
/// alone: the host reports it and goes on.
@MainActor
public final class AppHost {
    /// Called for every event, on the main actor, in order for each app.
    public var onEvent: ((_ id: String, _ event: AppHostEvent) -> Void)?

    /// The installed apps, in the order given.
    public let applications: [AppBundle]
    private let log: Logger
    private let budgets: AppHostBudgets
    private let reports: ReportStore?
    private let symbolicator: Symbolicator?
    private var running: [String: AppProcess] = [:]

    /// - Parameters:
    ///   - bundles: the installed apps; of two with the same identifier the first counts.
    ///   - budgets: how long an app may take for what.
    ///   - reports: where the watchdog's reports go; nil writes none.
    ///   - symbolicator: names the functions in them.
    public init(
        bundles: [AppBundle], budgets: AppHostBudgets = AppHostBudgets(), reports: ReportStore? = nil, symbolicator: Symbolicator? = .beside(), log: Logger
    ) {
        var seen = Set<String>()
        applications = bundles.filter { seen.insert($0.id).inserted }
        for bundle in bundles where bundles.first(where: { $0.id == bundle.id })?.executable != bundle.executable {
            log.warning("\(bundle.executable): another app has the identifier \(bundle.id) already, this one is not used")
        }
        self.budgets = budgets
        self.reports = reports
        self.symbolicator = symbolicator
        self.log = log
    }

    /// Whether a process of this app exists.
    public func isRunning(_ id: String) -> Bool { running[id] != nil }

    /// Process identifier of a running app.
    public func processID(_ id: String) -> Int32? { running[id]?.pid }

    /// Starts an app. Nothing happens if it runs already. The outcome comes as events: `.launched`, then `.ready`; or `.failed`.
    public func launch(_ id: String) {
        guard running[id] == nil else { return }
        guard let bundle = applications.first(where: { $0.id == id }) else {
            onEvent?(id, .failed(AppHostError(.unknownApp, "no installed app has the identifier \(id)")))
            return
        }
        do throws(AppHostError) {
            let process = try AppProcess(bundle: bundle, budgets: budgets, reports: reports, symbolicator: symbolicator, log: log)
            running[id] = process
            process.onEvent = { [weak self] event in self?.processEvent(id, event) }
            onEvent?(id, .launched(pid: process.pid, sound: process.sound))
            process.start()
        } catch {
            log.error("\(bundle.name): \(error)")
            onEvent?(id, .failed(error))
        }
    }

    /// Sends a message to a running app that is `.ready`; false if there is none.
    @discardableResult
    public func send(_ id: String, _ message: AppToApp) -> Bool {
        guard let process = running[id], process.isReady else { return false }
        return process.send(message)
    }

    /// Asks an app to end, and ends it by force when its budget is over. `.exited` follows.
    public func terminate(_ id: String, reason: String) {
        running[id]?.terminate(reason: reason)
    }

    /// Ends every app and waits for them, bounded by the terminate budget.
    public func shutdown() async {
        let processes = Array(running.values)
        for process in processes { process.terminate(reason: "the phone is shutting down") }
        for process in processes { await process.waitForExit() }
    }

    private func processEvent(_ id: String, _ event: AppHostEvent) {
        if case .exited = event { running[id] = nil }
        onEvent?(id, event)
    }
}
