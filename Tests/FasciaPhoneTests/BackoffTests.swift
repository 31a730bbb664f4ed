import Testing

@testable import FasciaPhone

@Suite struct BackoffTests {
    @Test func firstAttemptIsAtOnceThenSlowerUpToTheLongest() {
        var backoff = Backoff()
        let waits = (0..<9).map { _ in backoff.wait() }
        #expect(waits.first == .zero)
        #expect(waits[1] == Backoff.first)
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(waits.last == Backoff.longest)
        backoff.reset()
        let afterReset = backoff.wait()
        #expect(afterReset == .zero)
    }
}
