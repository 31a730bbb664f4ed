import FasciaLink
import FasciaSession
import Testing

@Suite struct BackoffTests {
    @Test func firstAttemptIsAtOnceThenSlowerUpToTheLongest() {
        var backoff = Backoff(first: 100, longest: 1_000), generator = SeededGenerator(seed: 1)
        let waits = (0..<8).map { _ in backoff.next(&generator) }
        #expect(waits[0] == 0)
        for (wait, whole) in zip(waits.dropFirst(), [100, 200, 400, 800, 1_000, 1_000, 1_000] as [UInt64]) { #expect((whole / 2...whole).contains(wait)) }
        backoff.reset()
        let afterReset = backoff.next(&generator)
        #expect(afterReset == 0)
    }

    @Test func jitterDiffersBetweenSeedsAndRepeatsWithOne() {
        func waits(_ seed: UInt64) -> [UInt64] {
            var backoff = Backoff(), generator = SeededGenerator(seed: seed)
            return (0..<6).map { _ in backoff.next(&generator) }
        }
        #expect(waits(1) == waits(1))
        #expect(waits(1) != waits(2))
    }

    @Test func strangeTimesDoNotTrap() {
        var generator = SeededGenerator(seed: 1)
        for (first, longest) in [(0, 0), (.max, 1), (.max / 2 + 1, .max)] as [(UInt64, UInt64)] {
            var backoff = Backoff(first: first, longest: longest)
            for _ in 0..<70 { _ = backoff.next(&generator) }
        }
    }
}
