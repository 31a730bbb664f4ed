/// The report for people, in the order and the words of the crash reports they know.
extension WatchdogReport {
    public var text: String {
        var lines = [
            "Process:      \(app.name) [\(app.pid)]",
            "Identifier:   \(app.id)",
            "Path:         \(app.executable)",
            "Date:         \(time)",
            "",
            "Termination:  watchdog \(code)",
            "Reason:       \(phase.rawValue) exhausted its \(Self.seconds(budgetMs)) s of real time (took \(Self.seconds(elapsedMs)) s)",
            "CPU time:     \(Self.seconds(cpu.userMs)) s user, \(Self.seconds(cpu.systemMs)) s system" + busy,
        ]
        lines += notes.map { "Note:         \($0)" }
        for (number, thread) in threads.enumerated() { lines += [""] + Self.lines(thread, number) }
        if threadsLeftOut > 0 { lines += ["", "and \(threadsLeftOut) threads more"] }
        if !images.isEmpty { lines += ["", "Images:"] + images.map { "0x\(Self.hex($0.base)) - 0x\(Self.hex($0.end))  \($0.path)" } }
        return lines.joined(separator: "\n") + "\n"
    }

    private var busy: String {
        guard let since = cpu.sinceWarningMs else { return "" }
        let window = max(1, elapsedMs - budgetMs / 2)
        return ", \(since * 100 / window) % of one processor since half of the time was over"
    }

    private static func lines(_ thread: ThreadReport, _ number: Int) -> [String] {
        var title = "Thread \(number) (\(thread.id)) \(thread.name)\(thread.isMain ? ", main" : ""): \(meaning(of: thread.state))"
        if let place = thread.waitsIn { title += " in \(place)" }
        title += ", CPU \(seconds(thread.cpuMs)) s"
        if let since = thread.cpuSinceWarningMs { title += " (\(seconds(since)) s since the warning)" }
        if let note = thread.note { return [title, "    no backtrace: \(note)"] }
        let width = thread.backtrace.map { ($0.image.map(fileName) ?? "?").count }.max() ?? 0
        return [title] + thread.backtrace.enumerated().map { level, frame in line(frame, level, width) }
    }

    private static func line(_ frame: StackFrame, _ level: Int, _ width: Int) -> String {
        let image = frame.image.map(fileName) ?? "?"
        var text = "\(level)".padded(4) + image.padded(width + 1) + "0x\(hex(frame.address)) "
        if let symbol = frame.symbol {
            text += symbol
            if frame.isInlined == true { text += " [inlined]" } else if let offset = frame.symbolOffset { text += " + \(offset)" }
        } else if let offset = frame.offset {
            text += "\(image) + 0x\(String(offset, radix: 16))"
        }
        if let file = frame.file, let line = frame.line, line > 0 { text += " (\(fileName(file)):\(line))" }
        return text
    }

    private static func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private static func meaning(of state: String) -> String {
        switch state {
        case "R": "running"
        case "S": "waiting"
        case "D": "in an uninterruptible wait"
        case "T": "stopped"
        case "t": "held by a debugger"
        case "Z", "X": "ended"
        default: state
        }
    }

    static func seconds(_ milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: max(0, 3 - rest.count)))\(rest)"
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
