import ArgumentParser
import FasciaAppHost

/// `--budget launch=30s --budget disconnect=500ms`
struct BudgetOptions: ParsableArguments {
    @Option(
        name: .customLong("budget"),
        help: ArgumentHelp(
            """
            How long an app may take: launch (default 20s), update (10s; every handler on its main thread), disconnect (5s) or \
            terminate (2s). An app that takes longer is reported with a backtrace and ended. May be repeated.
            """, valueName: "what=time"))
    var budgetTexts: [String] = []

    func validate() throws {
        for text in budgetTexts where Self.parse(text) == nil {
            throw ValidationError(
                "--budget takes launch, update, disconnect or terminate, “=” and a time of at least 10ms, for example launch=30s or disconnect=500ms; “\(text)” is not that.")
        }
    }

    var budgets: AppHostBudgets {
        var budgets = AppHostBudgets()
        for text in budgetTexts {
            guard let (path, time) = Self.parse(text) else { continue }
            budgets[keyPath: path] = time
        }
        return budgets
    }

    private static let names: [String: WritableKeyPath<AppHostBudgets, Duration> & Sendable] = [
        "launch": \.launch, "update": \.update, "disconnect": \.sceneDisconnect, "terminate": \.terminate,
    ]

    private static func parse(_ text: String) -> (WritableKeyPath<AppHostBudgets, Duration>, Duration)? {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let path = names[parts[0]], let time = duration(parts[1]) else { return nil }
        return (path, time)
    }

    /// 10 ms to a day.
    private static func duration(_ text: String) -> Duration? {
        let milliseconds = text.hasSuffix("ms")
        guard milliseconds || text.hasSuffix("s"), let number = Double(text.dropLast(milliseconds ? 2 : 1)), number.isFinite else { return nil }
        let seconds = milliseconds ? number / 1_000 : number
        return seconds >= 0.01 && seconds <= 86_400 ? .seconds(seconds) : nil
    }
}
