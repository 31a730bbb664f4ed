/// How prompts of a real app end.
enum PromptEnding: String, CaseIterable, Sendable {
    /// The app is done.
    case ended
    /// kill -9 of the app.
    case killed
    /// TCP is broken off.
    case reset
    /// Both ways silent, and nobody is told.
    case cut
}

/// What prompts of a real app did to the car's radio, by how they ended.
struct PromptFigures: Encodable, Sendable {
    private(set) var figures: [PromptEnding: DuckFigures] = [:]

    /// As `.duckOthers` says (spec/appsound.md, SS-5): dB, milliseconds.
    static let level = -15.0, ramp = 200.0

    /// - Parameters:
    ///   - end: of the prompt, `CLOCK_MONOTONIC` nanoseconds.
    ///   - up: the first way up after it; nil where there was nothing to come up for.
    ///   - level: that is left, dB.
    mutating func add(_ ending: PromptEnding, down: SoundState.Move, up: SoundState.Move?, end: UInt64, level: Double) {
        func error(_ move: SoundState.Move) -> Double { abs((move.ended_ms ?? 0) - move.began_ms - Self.ramp * abs(move.to_db - move.from_db) / abs(Self.level)) }
        func worse(_ value: inout Double, _ new: Double) { value = max(value, (new * 100).rounded() / 100) }
        var worst = figures[ending] ?? DuckFigures()
        worst.prompts += 1
        worse(&worst.maxDuckErrorMS, error(down))
        if let up {
            worse(&worst.maxRestoreErrorMS, error(up))
            worse(&worst.maxUntilRestoreMS, up.began_ms - Double(end) / 1e6)
        }
        worse(&worst.maxLevelErrorDB, max(abs(down.to_db - Self.level), abs(level)))
        figures[ending] = worst
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(uniqueKeysWithValues: figures.map { ($0.key.rawValue, $0.value) }))
    }

    /// A table for people.
    var text: String {
        Output.table([["prompts of a real app", "number", "down: ms off its ramp", "back: ms off its ramp", "ms until back begins", "dB off"]]
            + PromptEnding.allCases.compactMap { ending in figures[ending].map { (ending, $0) } }.map { ending, worst in
                [ending.rawValue, "\(worst.prompts)", "\(worst.maxDuckErrorMS)", "\(worst.maxRestoreErrorMS)", "\(worst.maxUntilRestoreMS)", "\(worst.maxLevelErrorDB)"]
            })
    }
}
