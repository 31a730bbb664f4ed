import FasciaEvents
import FasciaLink
import FasciaProcesses
import Foundation

/// Prompts of a real app through a real phone over the car's radio. They end in every way a prompt can, and the head unit says when and how
/// far the radio went down and came back.
struct PromptRun: Sendable {
    private(set) var figures = PromptFigures()
    private let pair: BenchPair
    private let phone: ChildProgram

    init(prompts: Int) async throws {
        let pair = try await BenchPair.tone()
        defer { pair.end() }
        let phone = try await pair.startPhone()
        defer { phone.end() }
        (self.pair, self.phone) = (pair, phone)
        do {
            try await pair.openTone()
            try await pair.headUnit.ask("radio on")
            var chance = SeededGenerator(seed: 11)
            for number in 0..<prompts {
                // All ways early on, and mostly the usual one.
                let endings = PromptEnding.allCases
                let ending = number < endings.count ? endings[number] : (endings + [.ended, .killed]).randomElement(using: &chance) ?? .ended
                do {
                    try await prompt(ending, milliseconds: .random(in: 300...900, using: &chance))
                } catch { throw ToolError("prompt \(number + 1), \(ending.rawValue): \(error)") }
            }
        } catch let error as ToolError {
            throw error.with(phone, pair.headUnit)
        }
    }

    private mutating func prompt(_ ending: PromptEnding, milliseconds: Int) async throws {
        let begin = MonotonicClock.now()
        try await pair.headUnit.ask("tap \"Prompt\"")
        _ = try await pair.headUnitEvents.next("stream-started", after: begin, from: pair.headUnit.name)
        try await Task.sleep(for: .milliseconds(milliseconds))
        let end = try await finish(ending)
        let (down, up) = try await moves(from: begin, end: end, ending)
        try await recover(ending, since: end)
        figures.add(ending, down: down, up: up, end: end, level: try await SoundState(of: pair.headUnit).duck_level_db)
    }

    /// - Returns: when it happened.
    private func finish(_ ending: PromptEnding) async throws -> UInt64 {
        let begin = MonotonicClock.now()
        switch ending {
        case .ended:
            try await pair.headUnit.ask("tap \"Stop\"")
            return try await pair.headUnitEvents.next("stream-stopped", after: begin, from: pair.headUnit.name).time
        case .killed:
            guard let app = ProcessState.children(of: phone.pid).first else { throw ToolError("the app does not run") }
            kill(app, SIGKILL)
            return begin
        case .reset, .cut:
            try await pair.headUnit.ask("link \(ending.rawValue)")
            return try await pair.headUnitEvents.next("link-\(ending.rawValue)", after: begin, from: pair.headUnit.name).time
        }
    }

    /// The way down, and the first way up from the end on. That may be cut short: by a connection that is back, and with it the prompt. One
    /// that is back at once leaves nothing to come up for: then there is none.
    private func moves(from begin: UInt64, end: UInt64, _ ending: PromptEnding) async throws -> (down: SoundState.Move, up: SoundState.Move?) {
        while true {
            try await Task.sleep(for: .milliseconds(40))
            let moves = try await SoundState(of: pair.headUnit).duck_moves.filter { $0.began_ms * 1e6 > Double(begin) && $0.ended_ms != nil }
            if let down = moves.first, let up = moves.first(where: { $0.to_db > $0.from_db }) { return (down, up) }
            if let down = moves.first, ending == .reset, MonotonicClock.now() > end + 500_000_000, try await SoundState(of: pair.headUnit).duck_level_db == PromptFigures.level {
                return (down, nil)
            }
            guard MonotonicClock.now() < end + 3_000_000_000 else { throw ToolError("the duck did not go down and come back: \(moves)") }
        }
    }

    /// The next prompt can begin.
    private func recover(_ ending: PromptEnding, since end: UInt64) async throws {
        let console = pair.headUnit
        switch ending {
        case .ended: return try await Task.sleep(for: .milliseconds(100))
        case .killed:
            try await console.ask("key home")
            return try await pair.openTone(again: true)
        case .reset: break
        case .cut: try await console.ask("link restore")
        }
        _ = try await pair.headUnitEvents.next("resumed", "connected", after: end, from: console.name)
        // The prompt goes on with the next connection, and ends there.
        _ = try await pair.headUnitEvents.next("stream-started", after: end, from: console.name)
        let begin = MonotonicClock.now()
        for _ in 0..<50 {
            do {
                try await console.ask("tap \"Stop\"")
                break
            } catch let error as ToolError where error.description.contains("waited for") { try await Task.sleep(for: .milliseconds(100)) }
        }
        _ = try await pair.headUnitEvents.next("stream-stopped", after: begin, from: console.name)
        try await Task.sleep(for: .milliseconds(400))
    }
}
