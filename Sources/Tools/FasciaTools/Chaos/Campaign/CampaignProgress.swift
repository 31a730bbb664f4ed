import FasciaEvents
import Foundation
import Synchronization

/// Tells how far the campaign is: one line that is written over on a terminal, one every 250 cycles elsewhere; violations at once.
final class CampaignProgress: Sendable {
    private struct State {
        var cycles = 0
        var violations = 0
        var lastLine: UInt64 = 0
    }

    private static let interval = 250
    private static let shown = 60
    private let total: Int
    private let seed: UInt64
    private let start = MonotonicClock.now()
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    init(total: Int, seed: UInt64) { (self.total, self.seed) = (total, seed) }

    func note(_ result: CycleResult) {
        state.withLock { state in
            state.cycles += 1
            state.violations += result.violations.count
            if !result.timeline.isEmpty { tell(result) }
            let now = MonotonicClock.now()
            if isTerminal {
                guard now - state.lastLine > 200_000_000 || state.cycles == total else { return }
                state.lastLine = now
                FileHandle.standardError.write(Data("\r\u{1B}[K\(line(state, now))".utf8))
            } else if state.cycles % Self.interval == 0 {
                Output.note(line(state, now))
            }
        }
    }

    func end() { if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) } }

    private func line(_ state: State, _ now: UInt64) -> String {
        let seconds = Double(now - start) / 1e9, rest = seconds / Double(state.cycles) * Double(total - state.cycles)
        return "\(state.cycles) of \(total) cycles, \(state.violations) violations, \(Int(seconds)) s, \(Int(rest)) s to go, seed \(seed)"
    }

    private func tell(_ result: CycleResult) {
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        Output.note("cycle \(result.number), \(result.kind.rawValue):")
        for violation in result.violations { Output.note("  VIOLATION \(violation)") }
        for line in result.timeline.suffix(Self.shown) { Output.note("  \(line)") }
        guard !result.violations.isEmpty else { return }
        Output.note("  again: fascia chaos --seed \(seed) --cycle \(result.number)" + (result.kept.map { "   logs: \($0)" } ?? ""))
    }
}
