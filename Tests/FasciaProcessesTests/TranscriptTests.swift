import Testing

@testable import FasciaProcesses

struct TranscriptTests {
    /// A line that comes between looking and waiting is not missed: else its reader waits for the one after it.
    @Test func noLineIsMissed() async {
        let transcript = Transcript()
        for number in 0..<3_000 {
            async let _ = Task.detached { transcript.append(Array("\(number)\n".utf8)) }.value
            guard case .found = await transcript.line(within: .seconds(20), again: false, where: { $0 == "\(number)" }) else {
                Issue.record("line \(number) was missed")
                return
            }
        }
    }
}
