@testable import FasciaLab
import Testing

private let millisecond: UInt64 = 1_000_000

private func packet(_ number: Int, size: Int = 100) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    (bytes[0], bytes[1]) = (UInt8(number >> 8), UInt8(number & 0xff))
    return bytes
}

extension LinkEmulation {
    /// Numbers of the packets that have arrived by `now`, in order, with their times.
    fileprivate mutating func arrived(by now: UInt64) -> [(number: Int, due: UInt64)] {
        var all: [(Int, UInt64)] = []
        while let delivery = next(now: now) { all.append((Int(delivery.packet[0]) << 8 | Int(delivery.packet[1]), delivery.due)) }
        return all
    }

    fileprivate mutating func set(_ change: (inout LinkSettings) -> Void) {
        for host in LabHost.allCases { change(&self[toward: host]) }
    }
}

@Suite struct LinkEmulationTests {
    @Test func withoutSettingsAPacketArrivesAtOnce() {
        var link = LinkEmulation()
        link.accept(packet(1), toward: .phone, now: 5)
        #expect(link.deadline == 5)
        let delivery = link.next(now: 5)
        #expect(delivery?.toward == .phone)
        #expect(delivery?.packet == packet(1))
        #expect(link.next(now: 5) == nil)
        #expect(link.deadline == nil)
    }

    @Test func delayIsOneWayAndEachWayHasItsOwn() {
        var link = LinkEmulation()
        link[toward: .phone].delay = 5 * millisecond
        link[toward: .car].delay = 7 * millisecond
        link.accept(packet(1), toward: .car, now: 0)
        link.accept(packet(2), toward: .phone, now: 0)
        #expect(link.arrived(by: 5 * millisecond - 1).isEmpty)
        #expect(link.arrived(by: 5 * millisecond).map(\.number) == [2])
        #expect(link.deadline == 7 * millisecond)
        #expect(link.arrived(by: 8 * millisecond).map(\.due) == [7 * millisecond])
    }

    @Test func lossIsAboutWhatWasAskedAndTheSameForTheSameSeed() {
        func lost(seed: UInt64) -> Set<Int> {
            var link = LinkEmulation(seed: seed)
            link.set { $0.loss = 0.02 }
            for number in 0..<10_000 { link.accept(packet(number), toward: .car, now: UInt64(number)) }
            return Set(0..<10_000).subtracting(link.arrived(by: .max).map(\.number))
        }
        let first = lost(seed: 7)
        #expect((150...250).contains(first.count))
        #expect(lost(seed: 7) == first)
        #expect(lost(seed: 8) != first)
    }

    @Test func whatGoesOneWayDoesNotChangeWhatIsLostTheOther() {
        func arrived(withTraffic: Bool) -> [[UInt8]] {
            var link = LinkEmulation(seed: 3)
            link.set { $0.loss = 0.5 }
            var arrived: [[UInt8]] = []
            for number in 0..<200 {
                if withTraffic { link.accept(packet(number), toward: .phone, now: UInt64(number)) }
                link.accept(packet(number), toward: .car, now: UInt64(number))
                while let delivery = link.next(now: UInt64(number)) {
                    if delivery.toward == .car { arrived.append(delivery.packet) }
                }
            }
            return arrived
        }
        #expect(arrived(withTraffic: false) == arrived(withTraffic: true))
        #expect((50...150).contains(arrived(withTraffic: true).count))
    }

    @Test func jitterKeepsTheOrderUnlessItMayReorder() {
        func order(reorders: Bool) -> [(number: Int, due: UInt64)] {
            var link = LinkEmulation(seed: 1)
            link.set {
                $0.delay = 10 * millisecond
                $0.jitter = 4 * millisecond
                $0.reorders = reorders
            }
            for number in 0..<500 { link.accept(packet(number), toward: .car, now: UInt64(number) * millisecond / 10) }
            return link.arrived(by: .max)
        }
        let kept = order(reorders: false)
        #expect(kept.map(\.number) == Array(0..<500))
        #expect(kept.map(\.due) == kept.map(\.due).sorted())
        let mixed = order(reorders: true)
        #expect(mixed.map(\.number) != Array(0..<500))
        for (number, due) in mixed {
            let flight = due - UInt64(number) * millisecond / 10
            #expect((6 * millisecond...14 * millisecond).contains(flight))
        }
    }

    @Test func jitterGreaterThanTheDelayNeverArrivesBeforeItWasSent() {
        var link = LinkEmulation(seed: 1)
        link.set {
            $0.delay = millisecond
            $0.jitter = 5 * millisecond
            $0.reorders = true
        }
        for number in 0..<200 { link.accept(packet(number), toward: .car, now: 50 * millisecond) }
        #expect(link.arrived(by: .max).allSatisfy { (50 * millisecond...56 * millisecond).contains($0.due) })
    }

    @Test func rateSpacesPacketsAndTheQueueIsBounded() {
        var link = LinkEmulation()
        link.set {
            $0.rate = 8_000_000 // a byte a microsecond
            $0.queue = 5_000
        }
        for number in 0..<10 { link.accept(packet(number, size: 1_000), toward: .car, now: 0) }
        let arrived = link.arrived(by: .max)
        #expect(arrived.map(\.number) == [0, 1, 2, 3, 4])
        #expect(arrived.map(\.due) == (1...5).map { $0 * millisecond })
        #expect(link.statistics(now: 0).towardCar.lostToQueue == 5)
        // The queue has drained: the next one waits for nobody.
        link.accept(packet(11, size: 1_000), toward: .car, now: 20 * millisecond)
        #expect(link.arrived(by: .max).map(\.due) == [21 * millisecond])
    }

    @Test func whatWaitsIsBoundedWithoutARateToo() {
        var link = LinkEmulation()
        link.set { $0.delay = 1_000 * millisecond }
        let big = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<65 { link.accept(big, toward: .car, now: 0) }
        #expect(link.statistics(now: 0).towardCar.waiting == 64)
        #expect(link.statistics(now: 0).towardCar.lostToQueue == 1)
    }

    @Test func refusedDeliveriesAreCounted() {
        var link = LinkEmulation()
        link.accept(packet(1), toward: .phone, now: 0)
        _ = link.next(now: 0)
        link.refused(toward: .phone)
        let statistics = link.statistics(now: 0).towardPhone
        #expect(statistics.delivered == 0)
        #expect(statistics.refused == 1)
    }
}
