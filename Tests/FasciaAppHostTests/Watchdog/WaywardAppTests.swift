import FasciaAppHost
import FasciaAppLink
import Foundation
import Testing

/// Real apps that hang, at every place a handler of theirs runs.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(3)))
struct WaywardAppTests {
    /// - Returns: the functions on the main thread's stack, innermost first.
    private func functions(_ report: WatchdogReport) -> [String] { report.threads.first?.backtrace.compactMap(\.symbol) ?? [] }

    /// [AM-12]: no Pong comes while a handler hangs, though the link's threads run; [AB-1]: also before app code has done anything.
    @Test(arguments: ["launch-sleep", "connect-sleep", "connect-spin", "update-sleep", "disconnect-sleep"])
    func aHangIsReportedWithTheFunctionItHangsIn(_ manner: String) async throws {
        try await WaywardApp.with(manner) { app in
            if manner == "launch-sleep" { app.run.host.launch(app.run.id) } else {
                try await app.launch()
                app.connect()
                if manner == "disconnect-sleep" {
                    #expect(await app.reply()?.kind == .connected)
                    app.disconnect()
                }
            }
            let (report, path, exit) = try await app.overrun()
            let phase: WatchdogPhase = switch manner.prefix(while: { $0 != "-" }) {
            case "launch": .launch
            case "connect": .sceneConnect
            case "update": .update
            default: .sceneDisconnect
            }
            #expect(report.phase == phase)
            #expect(exit.cause == .watchdog)
            #expect(exit.watchdog?.phase == phase)
            #expect(exit.status == .signal(SIGKILL))
            #expect(exit.description.hasPrefix("watchdog 0x8badf00d: "))
            #expect(report.threads.first?.isMain == true)
            #expect(report.threads.count > 1, "the link's threads are there too")
            #expect(functions(report).contains { $0.contains("Manner.misbehave(at:)") }, "\(report.text)")
            #expect(report.threads.first?.backtrace.contains { $0.file?.hasSuffix("WaywardApp/AppDelegate.swift") == true && $0.line ?? 0 > 0 } == true)
            let text = try String(contentsOfFile: ReportStore.text(of: path), encoding: .utf8)
            #expect(text.contains("Termination:  watchdog 0x8badf00d"))
            let since = try #require(report.cpu.sinceWarningMs)
            if manner == "connect-spin" { #expect(since > 20) } else { #expect(since < 200) }
        }
    }

    @Test func theWarningComesFirst() async throws {
        try await WaywardApp.with("connect-sleep") { app in
            try await app.launch()
            app.connect()
            let warning = await app.run.wait { if case .watchdogWarning(let notice) = $0 { notice } else { nil } }
            #expect(warning?.phase == .sceneConnect)
            #expect(warning?.budget == WaywardApp.budget)
            _ = try await app.overrun()
        }
    }

    /// The report says why there is no backtrace, and the app ends all the same.
    @Test(arguments: [("connect-stop", "it is stopped"), ("connect-mask", "it blocks SIGPROF")])
    func anAppThatCannotTellIsEndedAllTheSame(_ manner: String, _ reason: String) async throws {
        try await WaywardApp.with(manner) { app in
            try await app.launch()
            app.connect()
            let (report, _, exit) = try await app.overrun()
            #expect(report.threads.first?.note?.contains(reason) == true, "\(report.text)")
            #expect(report.threads.first?.backtrace.isEmpty == true)
            #expect(exit.cause == .watchdog)
        }
    }

    @Test func aProgramThatCatchesNothingIsNotSentTheSignal() async throws {
        var budgets = AppHostBudgets()
        budgets.launch = .milliseconds(200)
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-reports-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await ScriptApp.with("exec sleep 60", budgets: budgets, reports: ReportStore(directory: directory.path)) { run in
            run.host.launch(run.id)
            let path = await run.wait { if case .watchdog(_, let report) = $0 { report } else { nil } }
            let report = try ReportStore.read(try #require(path))
            #expect(report.threads.map(\.note) == ["the app does not catch SIGPROF, which asks for it"])
            #expect(await run.waitForExit()?.status == .signal(SIGKILL))
        }
    }

    @Test func aCrashIsNoWatchdog() async throws {
        try await WaywardApp.with("disconnect-crash", budget: .seconds(20)) { app in // a crash writes its own backtrace first
            try await app.launch()
            app.connect()
            #expect(await app.reply()?.kind == .connected)
            app.disconnect()
            let exit = await app.run.waitForExit()
            #expect(exit?.cause == .crash)
            #expect(exit?.status == .signal(SIGABRT))
        }
    }

    @Test func anAppThatWillNotEndIsEnded() async throws {
        try await WaywardApp.with("terminate-sleep") { app in
            try await app.launch()
            app.run.host.terminate(app.run.id, reason: "test")
            let (report, _, exit) = try await app.overrun()
            #expect(report.phase == .terminate)
            #expect(exit.watchdog?.phase == .terminate)
        }
    }

    /// Its connect handler still hangs when the car goes and comes again.
    @Test func disconnectAndConnectWaitForAHangingConnect() async throws {
        try await WaywardApp.with("connect-sleep") { app in
            try await app.launch()
            app.connect(scene: 1)
            app.disconnect(scene: 1)
            app.connect(scene: 2)
            let (report, _, exit) = try await app.overrun()
            #expect(report.phase == .sceneConnect)
            #expect(exit.cause == .watchdog)
            #expect(app.output.filter { $0 == "didConnect" }.count == 1)
        }
    }

    @Test func connectAndDisconnectAlternateWhateverTheHurry() async throws {
        try await WaywardApp.with("plain", budget: .seconds(10)) { app in
            try await app.launch()
            for scene in UInt64(1)...20 {
                app.connect(scene: scene)
                app.disconnect(scene: scene)
            }
            app.disconnect(scene: 20)
            while let reply = await app.reply(), reply != .with({ $0.scene = 20; $0.kind = .disconnected }) {}
            app.run.host.terminate(app.run.id, reason: "test")
            #expect(await app.run.waitForExit()?.cause == .orderly)
            let calls = app.output.filter { $0.hasPrefix("did") }
            #expect(calls == Array(repeating: ["didConnect", "didDisconnect"], count: 20).flatMap { $0 })
        }
    }

    @Test func reportsAreFewAndPrivate() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-reports-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = ReportStore(directory: directory)
        var paths: [String] = []
        for number in 0 ..< ReportStore.kept + 5 {
            let report = WatchdogReport(
                time: "2026-01-01T00:00:\(number + 10)Z", app: .init(id: "a", name: "../x y", executable: "/a", pid: Int32(number)), phase: .update,
                budgetMs: 1, elapsedMs: 2, cpu: .init(userMs: 0, systemMs: 0))
            paths.append(try store.write(report))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(names.count == 2 * ReportStore.kept)
        #expect(names.allSatisfy { !$0.contains("/") && !$0.contains("..") && !$0.contains(" ") }, "\(names)")
        #expect(!FileManager.default.fileExists(atPath: paths[4]) && FileManager.default.fileExists(atPath: paths[5]))
        for path in [paths[24], ReportStore.text(of: paths[24])] {
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        }
    }
}
