@testable import FasciaAppHost
import FasciaAppLink
import Foundation
import Logging
import Synchronization
import Testing

/// Every way an app can go wrong ends that app alone, with an event that names the cause.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct MisbehavingAppTests {
    private func failure(_ run: HostRun) async -> AppHostError? {
        await run.wait { event in
            if case .failed(let error) = event { return error }
            return nil
        }
    }

    @Test func exitBeforeHello() async throws {
        let exit = try await ScriptApp.with("exit 3") { run in
            run.host.launch(run.id)
            return await run.waitForExit()
        }
        #expect(exit?.status == .code(3))
        #expect(exit?.description == "exited with status 3")
        #expect(exit?.isOrderly == false)
    }

    @Test func crashIsNamed() async throws {
        let exit = try await ScriptApp.with("kill -SEGV $$") { run in
            run.host.launch(run.id)
            return await run.waitForExit()
        }
        #expect(exit?.status == .signal(SIGSEGV))
        #expect(exit?.description.contains("SIGSEGV") == true)
    }

    @Test func silentAppIsEndedAtTheLaunchBudget() async throws {
        var budgets = AppHostBudgets()
        budgets.launch = .milliseconds(200)
        let (error, exit) = try await ScriptApp.with("exec sleep 60", budgets: budgets) { run in
            run.host.launch(run.id)
            return (await failure(run), await run.waitForExit())
        }
        #expect(error?.code == .watchdog)
        #expect(exit?.status == .signal(SIGKILL))
        #expect(exit?.watchdog?.phase == .launch)
        #expect(exit?.description.hasPrefix("watchdog 0x8badf00d: script took longer than 200ms") == true, "\(exit?.description ?? "")")
        #expect(exit?.cause == .watchdog)
    }

    @Test func garbageIsNotAnAppLink() async throws {
        let (error, exit) = try await ScriptApp.with("printf 'GET / HTTP/1.1\\r\\n\\r\\n' >&3; exec sleep 60") { run in
            run.host.launch(run.id)
            return (await failure(run), await run.waitForExit())
        }
        #expect(error?.code == .badBytes)
        #expect(exit?.endedFor?.code == .badBytes)
    }

    @Test func anotherMessageBeforeHello() async throws {
        let frame = try AppLinkEncoder.encode(AppFromApp.with { $0.selectionCompleted = .with { $0.selection = 1 } })
        let bytes = frame.map { "\\x" + String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
        let error = try await ScriptApp.with("printf '\(bytes)' >&3; exec sleep 60") { run in
            run.host.launch(run.id)
            return await failure(run)
        }
        #expect(error?.code == .badHello)
    }

    @Test func newerVersionIsRefused() async throws {
        let frame = try AppLinkEncoder.encode(AppFromApp.with { $0.hello = .with { $0.version = 9 } })
        let bytes = frame.map { "\\x" + String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
        let error = try await ScriptApp.with("printf '\(bytes)' >&3; exec sleep 60") { run in
            run.host.launch(run.id)
            return await failure(run)
        }
        #expect(error?.code == .badHello)
        #expect(error?.description.contains("version 9") == true)
    }

    /// As a raise in the CarPlay module ends an app.
    @Test func theLastFaultIsInTheReport() async throws {
        let hello = try AppLinkEncoder.encode(AppFromApp.with { $0.hello = .with { $0.version = 1 } })
        let fault = try AppLinkEncoder.encode(AppFromApp.with { $0.fault = .with { $0.name = "NSGenericException"; $0.reason = "too deep"; $0.fatal = true } })
        let bytes = (hello + fault).map { "\\x" + String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
        let exit = try await ScriptApp.with("printf '\(bytes)' >&3; kill -ABRT $$") { run in
            run.host.launch(run.id)
            return await run.waitForExit()
        }
        #expect(exit?.status == .signal(SIGABRT))
        #expect(exit?.fault == "NSGenericException: too deep")
        #expect(exit?.description == "ended by SIGABRT (Aborted): NSGenericException: too deep")
    }

    @Test func outputIsForwardedWithTheAppsName() async throws {
        let lines = LogLines()
        let log = Logger(label: "test") { _ in lines.handler() }
        _ = try await ScriptApp.with("echo out; printf 'err\\e[31m' >&2; exit 0", log: log) { run in
            run.host.launch(run.id)
            return await run.waitForExit()
        }
        #expect(lines.text.contains("[script] out"))
        #expect(lines.text.contains("[script] err?[31m"))
    }

    @Test func outputWithoutEndIsCutDown() async throws {
        let lines = LogLines()
        let log = Logger(label: "test") { _ in lines.handler() }
        let count = 50 * LineBudget.burst
        _ = try await ScriptApp.with("yes spam | head -n \(count); exit 0", log: log) { run in
            run.host.launch(run.id)
            return await run.waitForExit()
        }
        #expect(lines.text.count { $0 == "[script] spam" } < count / 2)
    }

    @Test func aBudgetRefillsWithTimeAndTellsWhatItDropped() {
        var budget = LineBudget()
        for _ in 0..<LineBudget.burst { #expect(budget.next(now: 5_000_000_000) == .pass) }
        for _ in 0..<7 { #expect(budget.next(now: 5_000_000_001) == .drop) }
        #expect(budget.untold == 7)
        let oneLater: UInt64 = 5_000_000_000 + 1_000_000_000 / UInt64(LineBudget.perSecond)
        #expect(budget.next(now: oneLater) == .passAfter(leftOut: 7))
        #expect(budget.next(now: oneLater) == .drop)
        for _ in 0..<LineBudget.burst { #expect(budget.next(now: oneLater + 3_600_000_000_000) != .drop) }
        #expect(budget.next(now: oneLater + 3_600_000_000_000) == .drop)
        #expect(budget.next(now: 0) == .drop, "a clock that jumps back is no reason to trap")
    }

    @Test func unknownApp() async throws {
        let error = try await ScriptApp.with("exit 0") { run in
            run.host.launch("nobody")
            return await failure(run)
        }
        #expect(error?.code == .unknownApp)
    }

    @Test func onlyItsOwnIsInherited() async throws {
        let lines = LogLines()
        let log = Logger(label: "test") { _ in lines.handler() }
        let open = FileHandle(forReadingAtPath: "/dev/null")
        _ = try await ScriptApp.with("exec ls /proc/self/fd", log: log) { run in
            run.host.launch(run.id)
            return await run.waitForExit()
        }
        try open?.close()
        let descriptors = lines.text.filter { $0.hasPrefix("[script] ") }.compactMap { Int($0.dropFirst("[script] ".count)) }
        #expect(descriptors.sorted() == [0, 1, 2, 3, 4, 5, 6], "the app link, backtraces, sound; 6 is the directory ls reads")
    }
}

/// Log lines, from any thread.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    var text: [String] { lines.withLock { $0 } }

    func handler() -> any LogHandler { Handler(lines: self) }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { lines.lines.withLock { $0.append("\(event.message)") } }
    }
}
