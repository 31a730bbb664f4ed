import FasciaAppHost
import FasciaAppLink
import Foundation
import Logging
import Testing

/// The test app of Tests/WaywardApp as a program of its own, under a name that says how it misbehaves.
@MainActor
struct WaywardApp {
    let run: HostRun
    let reports: String
    let lines: LogLines

    /// What a misbehaving app's place may take. The well-behaved places before it have to keep to it as well, on any machine.
    static let budget = Duration.seconds(3)

    static func with<T>(_ manner: String, budget: Duration = budget, _ body: (WaywardApp) async throws -> T) async throws -> T {
        let directory = try ScriptApp.make("")
        defer { try? FileManager.default.removeItem(at: directory) }
        let products = Bundle.main.executableURL?.deletingLastPathComponent() ?? URL(fileURLWithPath: ".")
        let program = directory.appendingPathComponent(manner).path
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: products.appendingPathComponent("WaywardApp").path)
        let plist = ScriptApp.plist.replacingOccurrences(of: "$(PRODUCT_MODULE_NAME).Scene", with: "WaywardApp.CarPlaySceneDelegate")
        try Data(plist.utf8).write(to: directory.appendingPathComponent("Info.plist"))
        var budgets = AppHostBudgets()
        budgets.update = budget
        budgets.sceneDisconnect = budget
        budgets.terminate = budget
        if manner.hasPrefix("launch") { budgets.launch = .seconds(4) } // by then its main is reached
        let lines = LogLines()
        let reports = directory.appendingPathComponent("reports").path
        let run = HostRun(try AppBundle.load(executable: program), budgets: budgets, reports: ReportStore(directory: reports), log: Logger(label: "test") { _ in lines.handler() })
        let result = try await body(WaywardApp(run: run, reports: reports, lines: lines))
        await run.host.shutdown()
        return result
    }

    func launch() async throws {
        run.host.launch(run.id)
        try #require(await run.waitForReady())
    }

    func connect(scene: UInt64 = 1) {
        run.host.send(run.id, .with { message in
            message.sceneConnect.scene = scene
            message.sceneConnect.traits = .with { $0.width = 400; $0.height = 240; $0.scale = 2; $0.maximumListItems = 24; $0.maximumListSections = 24 }
        })
    }

    func disconnect(scene: UInt64 = 1) { run.host.send(run.id, .with { $0.sceneDisconnect.scene = scene }) }

    func reply() async -> AppSceneReply? {
        await run.waitForMessage { if case .sceneReply(let reply) = $0 { reply } else { nil } }
    }

    /// The report of the overrun that ends the app, and how it ended.
    func overrun() async throws -> (report: WatchdogReport, path: String, exit: AppExit) {
        let path = await run.wait { if case .watchdog(_, let report) = $0 { report } else { nil } }
        let report = try #require(path)
        let exit = try #require(await run.waitForExit())
        return (try ReportStore.read(report), report, exit)
    }

    /// What the app printed.
    var output: [String] { lines.text.compactMap { $0.split(separator: "] ", maxSplits: 1).last.map(String.init) } }
}
