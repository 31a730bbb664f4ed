import Foundation

/// Looks at a hanging app and writes down what it sees. On a thread of its own: nothing of this waits on, or holds up, the phone.
struct ReportMaker: Sendable {
    let bundle: WatchdogReport.App
    let notice: WatchdogNotice
    /// Processor times at the warning.
    let atWarning: ThreadList?
    let backtraces: BacktracePipe
    let store: ReportStore?
    let symbolicator: Symbolicator?

    struct Made: Sendable {
        let report: WatchdogReport
        /// Of the JSON file; nil if none was written.
        let path: String?
        let problem: String?
    }

    /// - Parameters:
    ///   - looked: on the main actor, when the process is of no more use; bounded by `BacktracePipe.patience` and what reading /proc takes.
    ///   - made: on the main actor, when the report is written; bounded by `Symbolicator.patience` besides.
    func start(looked: @escaping @MainActor @Sendable () -> Void, made: @escaping @MainActor @Sendable (Made) -> Void) {
        let thread = Thread {
            let report = look()
            DispatchQueue.main.async { MainActor.assumeIsolated { looked() } }
            let result = write(report)
            DispatchQueue.main.async { MainActor.assumeIsolated { made(result) } }
        }
        thread.name = "app-report"
        thread.stackSize = 512 << 10
        thread.start()
    }

    func look() -> WatchdogReport {
        let pid = backtraces.pid
        let list = ThreadList(pid: pid)
        let before = atWarning.map { $0.user + $0.system }
        var report = WatchdogReport(
            time: Date().ISO8601Format(), app: bundle, phase: notice.phase, budgetMs: notice.budget.inMilliseconds,
            elapsedMs: notice.elapsed.inMilliseconds,
            cpu: .init(userMs: list.user, systemMs: list.system, sinceWarningMs: before.map { list.user + list.system - $0 }))
        report.threadsLeftOut = list.leftOut
        report.threads = list.threads.map { entry in
            let cpu = entry.status.user + entry.status.system
            let place = ProcFile.read("/proc/\(pid)/task/\(entry.id)/wchan").flatMap { $0.isEmpty || $0 == "0" ? nil : $0 }
            return ThreadReport(
                id: entry.id, name: entry.status.name, isMain: entry.id == pid, state: entry.status.state, waitsIn: place, cpuMs: cpu,
                cpuSinceWarningMs: atWarning.map { cpu - ($0.cpu(of: entry.id) ?? 0) })
        }
        let answers = backtraces.ask(list.threads)
        report.images = ProcFile.read("/proc/\(pid)/maps").map(MemoryMap.images) ?? []
        for index in report.threads.indices {
            switch answers[report.threads[index].id] {
            case .frames(let counters): report.threads[index].backtrace = counters.map { frame($0, report.images) }
            case .refused(let reason): report.threads[index].note = reason
            case nil: break
            }
        }
        if report.threads.isEmpty { report.notes.append("The process was gone before it could be looked at.") }
        return report
    }

    private func frame(_ address: UInt64, _ images: [LoadedImage]) -> StackFrame {
        let image = images.first { $0.base <= address && address < $0.end }
        return StackFrame(address: address, image: image?.path, offset: image.map { address - $0.base })
    }

    private func write(_ report: WatchdogReport) -> Made {
        guard let store else { return Made(report: report, path: nil, problem: nil) }
        do {
            let path = try store.write(report)
            guard let symbolicator else { return Made(report: report, path: path, problem: "there is no symbolicator; addresses have no names") }
            let problem = symbolicator.run(path)
            return Made(report: (try? ReportStore.read(path)) ?? report, path: path, problem: problem)
        } catch {
            return Made(report: report, path: nil, problem: "the report could not be written to \(store.directory): \(error.localizedDescription)")
        }
    }
}

extension Duration {
    var inMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return Int64(clamping: seconds).multipliedReportingOverflow(by: 1_000).partialValue &+ attoseconds / 1_000_000_000_000_000
    }
}
