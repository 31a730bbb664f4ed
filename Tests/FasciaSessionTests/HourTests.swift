import FasciaSession
import Testing

/// An hour on a bad path, in virtual time: no session ends, so no scene disconnects.
@Suite struct HourTests {
    static let hour: UInt64 = 3_600_000 * VirtualWorld.ms

    @Test(arguments: [1, 2] as [UInt64]) func gapsOf200To460Milliseconds(_ seed: UInt64) {
        var world = VirtualWorld(.gaps(of: 200...460, every: 1_000...5_000, until: Self.hour, seed: seed), seed: seed)
        world.run(until: Self.hour)
        #expect(world.ends == [])
        #expect(world.frozen == 0, "nor does anybody see a notice")
        #expect(world.late > 500, "the gaps were noticed")
        world.run(until: Self.hour + 5_000 * VirtualWorld.ms)
        #expect(world.agree)
    }

    @Test(arguments: [1, 2] as [UInt64]) func twoPerCentLoss(_ seed: UInt64) {
        var world = VirtualWorld(VirtualWorld.Weather(loss: 0.02), seed: seed)
        world.run(until: Self.hour)
        #expect(world.ends == [])
        #expect(world.frozen == 0, "nor does anybody see a notice")
        #expect(world.late > 100)
        world.run(until: Self.hour + 5_000 * VirtualWorld.ms)
        #expect(world.agree)
    }

    /// Longer than a dead link, shorter than the grace time: a notice, and the same session.
    @Test func gapsOfSeconds() {
        var world = VirtualWorld(.gaps(of: 1_600...8_000, every: 2_000...9_000, until: Self.hour / 6, seed: 3), seed: 3)
        world.run(until: Self.hour / 6)
        #expect(world.ends == [])
        #expect(world.frozen > 20 && world.tookOver > 20)
    }

    /// Longer than the grace time: both ends end the session, and begin another.
    @Test func aGapBeyondTheGraceTimeEndsTheSessionOnceAtEachEnd() {
        var world = VirtualWorld(VirtualWorld.Weather(gaps: [5_000 * VirtualWorld.ms..<25_000 * VirtualWorld.ms]), seed: 4)
        world.run(until: 40_000 * VirtualWorld.ms)
        #expect(world.ends.count == 2, "\(world.ends)")
        #expect(world.agree)
    }
}
