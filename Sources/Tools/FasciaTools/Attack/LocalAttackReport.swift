import FasciaAttack

/// Medians of a phone that is served, milliseconds.
struct ServedLatencies: Encodable {
    /// From a commit that arrived to its frame on the screen.
    let commitToFrameMs: Double
    /// From a tap to the frame that the phone answers it with.
    let tapToFrameMs: Double
    enum CodingKeys: String, CodingKey { case commitToFrameMs = "commit_to_frame_ms", tapToFrameMs = "tap_to_frame_ms" }

    static func mean(_ some: some Collection<ServedLatencies>) -> ServedLatencies {
        let count = Double(max(1, some.count))
        return ServedLatencies(commitToFrameMs: some.reduce(0) { $0 + $1.commitToFrameMs } / count, tapToFrameMs: some.reduce(0) { $0 + $1.tapToFrameMs } / count)
    }
}

/// An attack while a phone was served.
struct ServedAttack: Encodable {
    let attack: AttackResult
    let latencies: ServedLatencies
    /// Right before and after, mean.
    let quiet: ServedLatencies
    /// Times the quiet value.
    let frameRatio: Double
    let inputRatio: Double
    enum CodingKeys: String, CodingKey { case attack, latencies, quiet, frameRatio = "frame_ratio", inputRatio = "input_ratio" }

    init(attack: AttackResult, latencies: ServedLatencies, quiet: ServedLatencies) {
        (self.attack, self.latencies, self.quiet) = (attack, latencies, quiet)
        frameRatio = latencies.commitToFrameMs / max(quiet.commitToFrameMs, 0.001)
        inputRatio = latencies.tapToFrameMs / max(quiet.tapToFrameMs, 0.001)
    }
}

struct LocalAttackReport: Encodable {
    let target: String
    let boundBytes: Int
    /// How long each attack went on.
    let seconds: Double
    let quiet: ServedLatencies?
    let alone: [AttackResult]
    let served: [ServedAttack]
    let sessionsOfThePhone: String?

    enum CodingKeys: String, CodingKey { case target, seconds, quiet, alone, served, boundBytes = "bound_bytes", sessionsOfThePhone = "sessions" }

    /// Latencies under attack stay below so many times their quiet value.
    static let largestRatio = 2.0

    private var results: [AttackResult] { alone + served.map(\.attack) }
    var peak: Int { results.compactMap(\.residentPeak).max() ?? 0 }
    var passed: Bool {
        results.allSatisfy(\.survived) && peak <= boundBytes && served.allSatisfy { $0.frameRatio < Self.largestRatio && $0.inputRatio < Self.largestRatio }
    }

    /// A table of all attacks, and a line with the worst of everything.
    func print() {
        Output.line("")
        var header = ["attack", "stage", "survived", "most memory, MB", "answers after, ms"]
        if quiet != nil { header += ["served: most memory, MB", "commit to frame, ms", "x quiet", "tap to frame, ms", "x quiet"] }
        var rows = [header]
        if let quiet { rows.append(["(quiet, mean)", "", "", "", "", "", Self.number(quiet.commitToFrameMs), "1", Self.number(quiet.tapToFrameMs), "1"]) }
        let names = results.map(\.name)
        for name in names.enumerated().filter({ names.firstIndex(of: $0.element) == $0.offset }).map(\.element) {
            let alone = alone.first { $0.name == name }, served = served.first { $0.attack.name == name }
            let both = [alone, served?.attack].compactMap { $0 }
            var row = [name, both[0].stage, both.allSatisfy(\.survived) ? "yes" : "NO", Self.megabytes(alone?.residentPeak), Self.number(alone?.answeredAfterMs)]
            if quiet != nil {
                row += [Self.megabytes(served?.attack.residentPeak), Self.number(served?.latencies.commitToFrameMs), Self.number(served?.frameRatio),
                        Self.number(served?.latencies.tapToFrameMs), Self.number(served?.inputRatio)]
            }
            rows.append(row)
        }
        Output.line(Output.table(rows))
        Output.line("")
        Output.line(summary)
    }

    /// One sentence with what a list of figures needs.
    var summary: String {
        let lost = results.filter { !$0.survived }.count
        var text = "\(Set(results.map(\.name)).count) attacks on a \(target), \(results.count) runs of \(Self.number(seconds)) s: \(lost == 0 ? "all survived" : "\(lost) NOT SURVIVED")"
        text += "; resident at most \(AttackReport.megabytes(peak)) of \(AttackReport.megabytes(boundBytes))"
        if let frame = served.max(by: { $0.frameRatio < $1.frameRatio }), let input = served.max(by: { $0.inputRatio < $1.inputRatio }) {
            text += "; commit to frame at most \(Self.number(frame.frameRatio)) x quiet (\(frame.attack.name)), tap to frame at most \(Self.number(input.inputRatio)) x (\(input.attack.name))"
        }
        return text + (sessionsOfThePhone.map { "; the head unit counts \($0)" } ?? "")
    }

    private static func number(_ value: Double?) -> String { value.map { "\(($0 * 100).rounded() / 100)" } ?? "-" }
    private static func megabytes(_ bytes: Int?) -> String { bytes.map { "\((Double($0) / 1e5).rounded() / 10)" } ?? "-" }
}
