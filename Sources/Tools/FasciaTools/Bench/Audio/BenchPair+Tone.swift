import FasciaEvents
import FasciaProcesses

extension BenchPair {
    /// A head unit without loudspeakers, and a phone with ToneApp.
    static func tone(phoneArguments: [String] = []) async throws -> BenchPair {
        try await BenchPair(app: Programs.path("ToneApp"), carArguments: ["--audio-out", "null"], phoneArguments: phoneArguments)
    }

    /// Has the tone's app on the screen, once the phone is there.
    /// - Parameters:
    ///   - begin: before the phone was started.
    ///   - row: is tapped.
    ///   - again: the phone has been on the screen before.
    func openTone(since begin: UInt64 = 0, playing row: String? = nil, again: Bool = false) async throws {
        if !again { _ = try await headUnitEvents.next("first-frame", after: begin, from: headUnit.name) }
        _ = try await headUnit.ask("wait \"Tone\" 20", within: .seconds(25))
        _ = try await headUnit.ask("tap \"Tone\"")
        _ = try await headUnit.ask("wait \"Play\" 20", within: .seconds(25))
        if let row { _ = try await headUnit.ask("tap \"\(row)\"") }
    }
}

extension ToolError {
    /// With what programs wrote last.
    func with(_ programs: ChildProgram...) -> ToolError { ToolError(([description] + programs.map { $0.lastErrors() }).joined(separator: "\n")) }
}
