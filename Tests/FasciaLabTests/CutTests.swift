@testable import FasciaLab
import Testing

private let millisecond: UInt64 = 1_000_000

@Suite struct CutTests {
    /// Sends a packet every millisecond over a link with 5 ms delay, as the link's loop does: what is due first.
    private func sent(milliseconds: UInt64, _ prepare: (inout LinkEmulation, UInt64) -> Void) -> (arrived: Set<UInt64>, link: LinkEmulation) {
        var link = LinkEmulation()
        link[toward: .car].delay = 5 * millisecond
        var arrived: Set<UInt64> = []
        func take(_ now: UInt64) {
            while let delivery = link.next(now: now) { arrived.insert((delivery.due - 5 * millisecond) / millisecond) }
        }
        for time in 0..<milliseconds {
            take(time * millisecond)
            prepare(&link, time)
            link.accept([1], toward: .car, now: time * millisecond)
        }
        take((milliseconds + 5) * millisecond)
        return (arrived, link)
    }

    @Test func aCutDropsWhatIsSentAndWhatIsInFlightAndEndsByItself() {
        var (arrived, link) = sent(milliseconds: 100) { link, time in
            if time == 20 { #expect(link.cut(for: 30 * millisecond, now: time * millisecond) == 50 * millisecond) }
        }
        // Sent at 15 it arrives at 20, right before the cut; sent at 50 the cut is over.
        #expect(arrived == Set(0...15).union(50..<100))
        let statistics = link.statistics(now: 105 * millisecond)
        #expect(statistics.outages == [Outage(start: 20 * millisecond, end: 50 * millisecond)])
        #expect(statistics.outageCount == 1)
        #expect(!statistics.isCut)
        #expect(statistics.towardCar.lostInCuts == 34)
    }

    @Test func aCutWithoutEndLastsUntilItIsRestored() {
        var (arrived, link) = sent(milliseconds: 100) { link, time in
            if time == 20 { #expect(link.cut(for: nil, now: time * millisecond) == nil) }
            if time == 60 {
                #expect(link.statistics(now: time * millisecond).isCut)
                link.restore(now: time * millisecond)
            }
        }
        #expect(arrived == Set(0...15).union(60..<100))
        #expect(link.statistics(now: 100 * millisecond).outages == [Outage(start: 20 * millisecond, end: 60 * millisecond)])
    }

    @Test func nothingPassesAHostWhoseCableIsOut() {
        let (arrived, _) = sent(milliseconds: 100) { link, time in
            if time == 20 { link.setPlugged(.phone, false) }
            if time == 40 { link.setPlugged(.phone, true) }
        }
        #expect(arrived == Set(0...15).union(40..<100))
    }

    @Test func aSecondCutReplacesTheFirst() {
        let (arrived, _) = sent(milliseconds: 100) { link, time in
            if time == 20 { link.cut(for: nil, now: time * millisecond) }
            if time == 30 { link.cut(for: 10 * millisecond, now: time * millisecond) }
        }
        #expect(arrived == Set(0...15).union(40..<100))
    }

    @Test func restoringAnUncutLinkIsNothing() {
        var link = LinkEmulation()
        link.restore(now: 5)
        #expect(link.statistics(now: 5).outages.isEmpty)
    }

    @Test func gapsLieWithinTheirBoundsAndAreTheSameForTheSameSeed() {
        func gaps(seed: UInt64) -> [Outage] {
            var link = LinkEmulation()
            link.setGaps(GapPattern(length: 200 * millisecond...460 * millisecond, interval: 1_000 * millisecond...3_000 * millisecond, seed: seed), now: 0)
            return link.statistics(now: 600_000 * millisecond).outages
        }
        let first = gaps(seed: 7)
        #expect((150...500).contains(first.count))
        #expect(gaps(seed: 7) == first)
        #expect(gaps(seed: 8) != first)
        var last: UInt64 = 0
        for gap in first {
            let end = gap.end ?? 0
            #expect((200 * millisecond...460 * millisecond).contains(end - gap.start))
            #expect((1_000 * millisecond...3_000 * millisecond).contains(gap.start - last))
            last = end
        }
    }

    @Test func packetsMeetGaps() {
        let (arrived, link) = sent(milliseconds: 1_000) { link, time in
            if time == 0 {
                link.setGaps(GapPattern(length: 50 * millisecond...50 * millisecond, interval: 100 * millisecond...100 * millisecond, seed: 1), now: 0)
            }
            if time == 500 { link.setGaps(nil, now: time * millisecond) }
        }
        var expected = Set<UInt64>(0..<1_000)
        for gap in [100, 250, 400] as [UInt64] { expected.subtract((gap - 5)..<(gap + 50)) }
        #expect(arrived == expected)
        var copy = link
        #expect(copy.statistics(now: 1_000 * millisecond).outageCount == 3)
    }

    @Test func endingGapsWithinOneEndsIt() {
        var link = LinkEmulation()
        link.setGaps(GapPattern(length: 1_000...1_000, interval: 1_000_000...1_000_000, seed: 1), now: 0)
        #expect(link.statistics(now: 1_000_500).isCut)
        link.setGaps(nil, now: 1_000_600)
        let statistics = link.statistics(now: 1_000_600)
        #expect(!statistics.isCut)
        #expect(statistics.outages == [Outage(start: 1_000_000, end: 1_000_600)])
    }
}
