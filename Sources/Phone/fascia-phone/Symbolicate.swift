import ArgumentParser
import FasciaAppHost
import FasciaSymbols

/// Run by the phone itself after the watchdog has written a report; also by hand, when debug information came later.
struct Symbolicate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put function names and lines to the addresses of watchdog reports.",
        discussion: "Each report and the text beside it are written anew. The app's program and libraries must still be where they were."
    )

    @Argument(help: ArgumentHelp("Reports, as reports/*.json in the state directory.", valueName: "report.json"))
    var reports: [String]

    func run() throws {
        for path in reports {
            var report: WatchdogReport
            do { report = try ReportStore.read(path) } catch { throw Complaint("\(path) is not a watchdog report: \(error.localizedDescription)") }
            try Symbolication.symbolicate(&report)
            try ReportStore.write(report, to: path)
        }
    }
}
