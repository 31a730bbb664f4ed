import CMalloc
import FasciaEvents
import Testing

@MainActor
struct DeadlineTimerTests {
    /// Fires once for the last time it was set to, and not for those before.
    @Test func aDeadlineThatIsMovedFiresOnce() async {
        var fired: [UInt64] = []
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let timer = DeadlineTimer {
            fired.append(MonotonicClock.now())
            continuation.yield()
        }
        let start = MonotonicClock.now()
        for step in 1...1_000 { timer.set(start + UInt64(step) * 10_000) }
        timer.set(nil)
        let last = start + 60_000_000
        timer.set(last)
        #expect(timer.deadline == last)
        for await _ in stream { break }
        #expect(timer.deadline == nil)

        timer.set(0) // long ago: at once, but not from within
        #expect(fired.count == 1)
        for await _ in stream { break }
        #expect(fired.count == 2 && fired[0] >= last)
    }

    /// A peer may have a deadline moved as often as it likes: nothing stays of the ones before.
    @Test func movingADeadlineLeavesNothingBehind() {
        let timer = DeadlineTimer {}
        let far = MonotonicClock.now() + 60_000_000_000
        timer.set(far)
        let before = mallinfo2().uordblks
        for step in 1...20_000 {
            timer.set(far + UInt64(step))
            if step % 7 == 0 { timer.set(nil) }
        }
        #expect(mallinfo2().uordblks < before + 500_000) // 5 MB with a sleeping task for each
        timer.set(nil)
    }
}
