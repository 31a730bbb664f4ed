import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// A probe's answer that is overdue, long before silence is suspicious (spec 8.5, L-7).
struct LateTests {
    /// A pair that has measured a round trip of `trip` several times.
    func measured(_ trip: UInt64) -> (phone: LinkMachine, car: LinkMachine, now: LinkInstant) {
        var (phone, car) = openPair()
        var now = start
        for _ in 0..<60 {
            now += ms(100)
            phone.deadlineReached(now: now)
            car.receive(phone.drain(now: now), now: now + trip / 2)
            phone.receive(car.drain(now: now + trip / 2), now: now + trip)
            _ = car.takeEvents()
            _ = phone.takeEvents()
            now += trip
        }
        return (phone, car, now)
    }

    @Test(arguments: [(trip: ms(0), limit: ms(20)), (trip: ms(4), limit: ms(20)), (trip: ms(40), limit: ms(50))])
    func aFlushIsFollowedByAProbeThatTellsOfACut(_ trip: UInt64, _ limit: UInt64) {
        var (phone, _, now) = measured(trip)
        #expect(phone.send(channel: 16, type: MessageType.commit, body: [1], now: now) == .queued)
        #expect(frames(phone.drain(now: now)).map(\.header.type) == [.message, .probe])
        var late: (UInt64, UInt64)?
        while late == nil, let deadline = phone.nextDeadline, deadline < now + ms(300) {
            phone.deadlineReached(now: deadline)
            _ = phone.drain(now: deadline)
            for event in phone.takeEvents() { if case .late(let waited) = event { late = (deadline - now, waited) } }
        }
        // A little more for the bytes in front of the probe and the rest of the variation.
        #expect((late?.0 ?? 0) >= limit && (late?.0 ?? 0) < limit + ms(2), "\(String(describing: late))")
        #expect(late?.1 == late?.0)
        #expect(phone.isLate && !phone.isSuspect)
    }

    @Test func aSecondFlushDoesNotProbeWhileOneIsOpen() {
        var (phone, car, now) = measured(ms(4))
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: now)
        let first = phone.drain(now: now)
        _ = phone.send(channel: 16, type: MessageType.commit, body: [2], now: now)
        #expect(frames(phone.drain(now: now)).map(\.header.type) == [.message])
        car.receive(first, now: now)
        phone.receive(car.drain(now: now), now: now)
        _ = phone.send(channel: 16, type: MessageType.commit, body: [3], now: now)
        #expect(frames(phone.drain(now: now)).map(\.header.type) == [.message, .probe])
    }

    @Test func anyByteEndsIt() {
        var (phone, _, now) = measured(ms(4))
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: now)
        _ = phone.drain(now: now)
        phone.deadlineReached(now: now + ms(60))
        phone.receive([0], now: now + ms(70))
        #expect(phone.takeEvents().names == ["late", "recovered"])
        #expect(!phone.isLate)
        #expect(phone.statistics.latenesses == 1)
    }

    /// Something else that comes shows that the link is well: the wait begins anew.
    @Test func aPeerThatTalksIsNotLate() {
        var (phone, car, now) = measured(ms(4))
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: now)
        _ = phone.drain(now: now)
        for step in UInt64(1)...20 {
            _ = car.send(channel: 1, type: MessageType.touch, body: [1], now: now + ms(10 * step))
            phone.receive(car.drain(now: now + ms(10 * step)), now: now + ms(10 * step))
            phone.deadlineReached(now: now + ms(10 * step) + ms(9))
        }
        #expect(!phone.takeEvents().names.contains("late"))
    }

    @Test func bytesInFrontOfTheProbeGetTimeToCross() {
        var (phone, _, now) = measured(ms(4))
        _ = phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 100_000), now: now)
        _ = phone.drain(now: now)
        phone.deadlineReached(now: now + ms(100))
        #expect(!phone.isLate)
        phone.deadlineReached(now: now + ms(130))
        #expect(phone.isLate)
    }

    @Test func nothingIsLateBeforeItWasMeasured() {
        var phone = LinkMachine.phone()
        var car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        car.accept(.test, now: start)
        phone.receive(car.drain(), now: start)
        _ = phone.drain()
        _ = phone.takeEvents()
        phone.deadlineReached(now: start + ms(299))
        #expect(!phone.isLate)
        phone.deadlineReached(now: start + ms(300))
        #expect(phone.takeEvents().names == ["suspected silence"])
    }

    @Test func theEndNamesAllThatWasSeen() {
        var (phone, car, now) = measured(ms(4))
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: now)
        _ = phone.drain(now: now)
        phone.deadlineReached(now: now + ms(60))
        phone.observe(Evidence(.carrierLost, "wlan0", at: now + ms(70)), now: now + ms(70))
        phone.observe(Evidence(.powerLost, at: now + ms(80)), now: now + ms(80))
        phone.observe(Evidence(.powerLost, at: now + ms(81)), now: now + ms(81))
        car.close(.shutdown, detail: "off", now: now)
        let bytes = car.drain(now: now)
        for byte in bytes { phone.receive([byte], now: now + ms(90)) } // however it is cut
        #expect(phone.takeEvents().closure?.evidence.map(\.kind) == [.goodbye, .lateAnswer, .carrierLost, .powerLost])
    }

    @Test func aSupersededLinkSaysSo() {
        var (phone, car) = openPair()
        car.close(.superseded, detail: "", now: start)
        phone.receive(car.drain(), now: start)
        #expect(car.takeEvents().closure?.evidence.map(\.kind) == [.superseded])
        #expect(phone.takeEvents().closure?.evidence.map(\.kind) == [.superseded])
    }
}
