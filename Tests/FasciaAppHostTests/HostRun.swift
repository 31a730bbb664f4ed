import FasciaAppHost
import FasciaAppLink
import Foundation
import Logging

/// A host with one app whose events a test awaits. Nothing sleeps: every wait ends with an event or with the test's time limit.
@MainActor
final class HostRun {
    let host: AppHost
    let id: String
    private let events: AsyncStream<AppHostEvent>
    private(set) var seen: [AppHostEvent] = []

    init(_ bundle: AppBundle, budgets: AppHostBudgets = AppHostBudgets(), reports: ReportStore? = nil, log: Logger = Logger(label: "test")) {
        id = bundle.id
        host = AppHost(bundles: [bundle], budgets: budgets, reports: reports, log: log)
        let (stream, continuation) = AsyncStream.makeStream(of: AppHostEvent.self)
        events = stream
        host.onEvent = { _, event in continuation.yield(event) }
    }

    /// The first event for which `match` gives a value; what came before is in `seen`.
    func wait<T>(_ match: (AppHostEvent) -> T?) async -> T? {
        var iterator = events.makeAsyncIterator()
        while let event = await iterator.next(isolation: #isolation) {
            seen.append(event)
            if let value = match(event) { return value }
            if case .exited = event { return nil }
        }
        return nil
    }

    func waitForMessage<T>(_ match: (AppFromApp.OneOf_Message) -> T?) async -> T? {
        await wait { event in
            guard case .message(let message) = event, let content = message.message else { return nil }
            return match(content)
        }
    }

    func waitForExit() async -> AppExit? {
        await wait { event in
            if case .exited(let exit) = event { return exit }
            return nil
        }
    }

    func waitForReady() async -> Bool {
        await wait { event in
            if case .ready = event { return true }
            return nil
        } ?? false
    }
}

/// Apps made of a shell script, to misbehave on purpose.
enum ScriptApp {
    static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>test.script</string>
        <key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
        <key>CPTemplateApplicationSceneSessionRoleApplication</key><array><dict>
        <key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).Scene</string></dict></array></dict></dict>
        </dict></plist>
        """
    static let entitlements = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>com.apple.developer.carplay-audio</key><true/></dict></plist>
        """

    /// A directory with an executable script and its plists; the caller removes it.
    static func make(_ script: String, plist: String? = plist, entitlements: String? = entitlements) throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let executable = directory.appendingPathComponent("script")
        try Data("#!/bin/bash\n\(script)\n".utf8).write(to: executable)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: executable.path)
        if let plist { try Data(plist.utf8).write(to: directory.appendingPathComponent("Info.plist")) }
        if let entitlements { try Data(entitlements.utf8).write(to: directory.appendingPathComponent("Entitlements.plist")) }
        return directory
    }

    @MainActor
    static func with<T>(
        _ script: String, budgets: AppHostBudgets = AppHostBudgets(), reports: ReportStore? = nil, log: Logger = Logger(label: "test"), _ body: (HostRun) async throws -> T
    ) async throws -> T {
        let directory = try make(script)
        defer { try? FileManager.default.removeItem(at: directory) }
        let bundle = try AppBundle.load(executable: directory.appendingPathComponent("script").path)
        let run = HostRun(bundle, budgets: budgets, reports: reports, log: log)
        let result = try await body(run)
        await run.host.shutdown()
        return result
    }
}
