import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// The peer's clock: how well it is known, and that no answer does harm.
struct ClockFilterTests {
    /// Not wall time: two made-up clocks, the peer's `ahead` ns ahead and gaining `ppm`.
    private static func run(seconds: UInt64, ppm: Double, seed: UInt64) -> (worst: UInt64, filter: ClockFilter) {
        var filter = ClockFilter()
        var random = Grease(seed: seed)
        let ahead: UInt64 = 123_456_789_000
        func peer(_ now: LinkInstant) -> UInt64 { now + ahead + UInt64(Int64(Double(now) * ppm / 1_000_000) + 1_000_000_000) }
        var worst: UInt64 = 0
        for second in 1...seconds {
            let sent = second * ms(1_000)
            // 1 ms each way, and up to 30 ms more on either way alone, three times of four.
            let there = ms(1) + (random.next() & 3 == 0 ? 0 : random.next() % ms(30))
            let back = ms(1) + (random.next() & 3 == 0 ? 0 : random.next() % ms(30))
            filter.answered(sent: sent, received: sent + there + back, peer: peer(sent + there))
            guard second > 60, let estimate = filter.estimate else { continue }
            let now = sent + ms(500)
            let error = Int64(bitPattern: estimate.localTime(peer(now)) &- now)
            worst = max(worst, error.magnitude)
            let there2 = Int64(bitPattern: estimate.peerTime(now) &- peer(now))
            worst = max(worst, there2.magnitude)
        }
        return (worst, filter)
    }

    @Test(arguments: [0, 100, -100, 20])
    func followsDrift(_ ppm: Double) throws {
        let (worst, filter) = Self.run(seconds: 600, ppm: ppm, seed: 5)
        #expect(worst < ms(8), "\(worst) ns")
        let drift = try #require(filter.estimate?.drift)
        #expect(abs(drift - ppm) < 60, "\(drift)")
    }

    @Test func aJumpIsFollowedAtOnce() throws {
        var filter = ClockFilter()
        for second in 1...10 as ClosedRange<UInt64> { filter.answered(sent: ms(second * 1_000), received: ms(second * 1_000 + 2), peer: ms(second * 1_000 + 1)) }
        #expect(filter.estimate?.offset == 0 && filter.count == 10)
        filter.answered(sent: ms(11_000), received: ms(11_002), peer: ms(911_001))
        #expect(filter.estimate?.offset == Int64(ms(900_000)) && filter.count == 1)
        // A delay of 40 ms on one way is no jump, and does not spoil what is known.
        filter.answered(sent: ms(12_000), received: ms(12_042), peer: ms(912_001))
        #expect(filter.estimate?.offset == Int64(ms(900_000)) && filter.count == 2)
    }

    /// Half of both round trips, a thousandth of the age and a millisecond: so much an honest clock may be off, and no more.
    @Test(arguments: [0, 1]) func theEdgeOfAJump(_ beyond: UInt64) {
        for sign in [1, -1] as [Int64] {
            var filter = ClockFilter()
            filter.answered(sent: ms(1_000), received: ms(1_004), peer: ms(5_002)) // 4 ms there and back, 4 s ahead
            // 2 + 3 + 1 + 1 ms off, a second later by the middle of its way.
            let off = Int64(ms(7) + beyond) * sign
            filter.answered(sent: ms(1_999), received: ms(2_005), peer: UInt64(Int64(ms(6_002)) + off))
            #expect(filter.count == (beyond == 0 ? 2 : 1))
        }
    }

    /// The quickest answer counts, until its age weighs more: 50 ppm of what has passed since.
    @Test func oldSamplesGiveWay() {
        var filter = ClockFilter()
        filter.answered(sent: ms(1_000), received: ms(1_002), peer: ms(5_001)) // 2 ms, offset 4,000
        filter.answered(sent: ms(11_000), received: ms(11_004), peer: ms(15_002) + 5) // half of its trip costs 1 ms more; 10 s of age cost 0.5 ms
        #expect(filter.estimate?.offset == Int64(ms(4_000)) && filter.estimate?.roundTrip == ms(2) && filter.estimate?.at == ms(1_001))
        filter.answered(sent: ms(25_000), received: ms(25_004), peer: ms(29_002) + 7) // 24 s: 1.2 ms
        #expect(filter.estimate?.offset == Int64(ms(4_000)) + 7 && filter.estimate?.roundTrip == ms(4))
    }

    /// A drift is believed after four points at least five seconds apart and twenty seconds, not before.
    @Test(arguments: [(1, 30), (7, 31), (10, 40)] as [(UInt64, UInt64)])
    func driftTakesTime(_ step: UInt64, _ known: UInt64) {
        var filter = ClockFilter()
        for second in stride(from: 10, through: known, by: Int(step)) {
            filter.answered(sent: second * ms(1_000), received: second * ms(1_000), peer: second * (ms(1_000) + 100_000))
            let drift = filter.estimate?.drift ?? .nan
            #expect(second < known ? drift == 0 : abs(drift - 100) < 0.01, "\(drift) after \(second) s")
        }
    }

    /// Two minutes after a clock has begun to run otherwise nothing else counts: 24 points, the last of the old time being on both lines.
    @Test func driftForgets() {
        var filter = ClockFilter()
        let turn = 300 as UInt64
        for second in stride(from: 10, through: turn + 23 * 5, by: 5) {
            let gained = second <= turn ? second * 100_000 : turn * 100_000 - (second - turn) * 50_000
            filter.answered(sent: second * ms(1_000), received: second * ms(1_000), peer: second * ms(1_000) + gained)
            let isForgotten = abs((filter.estimate?.drift ?? 0) + 50) < 0.001
            #expect(isForgotten == (second == turn + 23 * 5), "\(filter.estimate?.drift ?? 0) after \(second) s")
        }
    }

    @Test func driftIsBounded() {
        #expect(ClockEstimate(offset: 0, at: 0, drift: 1_001).drift == 1_000 && ClockEstimate(offset: 0, at: 0, drift: -1_001).drift == -1_000)
        #expect(ClockEstimate(offset: 0, at: 0, drift: .nan).drift == 0 && ClockEstimate(offset: 0, at: 0).drift == 0)
        let estimate = ClockEstimate(offset: 5, at: ms(1_000), drift: 100)
        #expect(estimate.peerTime(ms(11_000)) == ms(11_000) + 5 + 1_000_000 && estimate.peerTime(ms(1_000)) == ms(1_000) + 5)
        #expect(estimate.localTime(ms(11_001) + 5) == ms(11_000) - 100) // what drifts in the drift is left out
    }

    @Test func aLiarDoesNoHarm() {
        var random = Grease(seed: 9)
        var filter = ClockFilter()
        let extremes: [UInt64] = [0, .max, 1 << 63, (1 << 63) - 1, 1]
        for step in 0..<5_000 {
            let sent = step % 7 == 0 ? extremes[step % 5] : random.next()
            let received = step % 3 == 0 ? sent : random.next()
            filter.answered(sent: sent, received: received, peer: step % 2 == 0 ? extremes[step % 5] : random.next())
            guard let estimate = filter.estimate else { continue }
            for time in extremes + [random.next()] {
                _ = estimate.localTime(time)
                _ = estimate.peerTime(time)
            }
            #expect(abs(estimate.drift) <= ClockEstimate.maximumDrift)
        }
        _ = ClockEstimate(offset: .min, at: .max, drift: .nan).localTime(0)
        _ = ClockEstimate(offset: .max, at: 0, drift: .infinity).peerTime(.max)
    }
}

struct ClockExchangeTests {
    private static func pair(_ capabilities: [UInt32] = [1, 4]) -> (phone: LinkMachine, car: LinkMachine) {
        var hello = Hello.test
        hello.capabilities = capabilities
        return openPair(hello: hello, welcome: .test { $0.capabilities = [1, 4] })
    }

    private static func answers(_ bytes: [UInt8]) -> [[UInt8]] {
        frames(bytes).filter { $0.header.type == .probe && $0.header.flags == .ack }.map(\.payload)
    }

    @Test func anAnswerCarriesTheClock() {
        var (phone, car) = Self.pair()
        #expect(phone.clockEstimate?.offset == 0 && car.clockEstimate?.offset == 0)
        phone.receive(frame(.probe, [1, 2, 3, 4, 5, 6, 7, 8]), now: 0x0102_0304_0506)
        #expect(Self.answers(phone.drain(now: 0x0102_0304_0507)) == [[1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 1, 2, 3, 4, 5, 7]])
        // An answer that set out before Welcome was read has none.
        car.receive(frame(.probe, flags: .ack, [0, 0, 0, 0, 0, 0, 0, 1]), now: start)
        #expect(!car.isClosed)
    }

    @Test func noClockWithoutTheCapability() {
        var (phone, car) = Self.pair([1])
        #expect(phone.clockEstimate == nil && car.clockEstimate == nil)
        phone.receive(frame(.probe, [1, 2, 3, 4, 5, 6, 7, 8]), now: start)
        #expect(Self.answers(phone.drain()) == [[1, 2, 3, 4, 5, 6, 7, 8]])
        phone.receive(frame(.probe, flags: .ack, [UInt8](repeating: 0, count: 16)), now: start)
        #expect(phone.takeEvents().closure?.code == .protocolError)
    }

    @Test func noClockBeforeWelcome() {
        var hello = Hello.test
        hello.capabilities = [4]
        var phone = LinkMachine.phone(hello)
        var car = LinkMachine.car()
        car.receive(phone.drain() + frame(.probe, [9, 9, 9, 9, 9, 9, 9, 9]), now: start)
        car.accept(.test { $0.capabilities = [4] }, now: start)
        let sent = frames(car.drain())
        #expect(sent.first?.payload == [9, 9, 9, 9, 9, 9, 9, 9], "answers go before Welcome, and the phone does not know of clocks yet")
        var early = LinkMachine.phone(hello)
        early.receive(frame(.probe, flags: .ack, [UInt8](repeating: 0, count: 16)), now: start)
        #expect(early.takeEvents().closure?.code == .protocolError)
    }

    /// The first probe for the clock's sake comes 100 ms after channels are open, however long that took.
    @Test func theClockIsAskedForFromTheBeginning() {
        var hello = Hello.test
        hello.capabilities = [4]
        var phone = LinkMachine.phone(hello), car = LinkMachine.car()
        car.needsClock = true
        car.receive(phone.drain(), now: start)
        let opened = start + ms(2_000)
        car.accept(.test { $0.capabilities = [4]; $0.liveness = .with { $0.probeIntervalMs = 5_000; $0.suspectAfterMs = 60_000 } }, now: opened)
        _ = (car.drain(now: opened), car.takeEvents())
        #expect(car.nextDeadline == opened + ms(100))
        car.deadlineReached(now: opened + ms(99))
        #expect(!car.wantsTransmit)
        car.deadlineReached(now: opened + ms(100))
        #expect(car.wantsTransmit && car.nextDeadline == opened + ms(200))
    }

    @Test func probesWhileTheClockIsNeeded() {
        var (phone, car) = Self.pair()
        var now = start
        func hear() {
            now += ms(10)
            car.receive(message(33, 0x0A0A), now: now)
        }
        for _ in 0..<300 {
            hear()
            car.deadlineReached(now: now)
        }
        let before = car.statistics.probesSent
        car.needsClock = true
        for _ in 0..<1_000 {
            hear()
            if let deadline = car.nextDeadline, deadline <= now { car.deadlineReached(now: now) }
            phone.receive(car.drain(now: now), now: now)
            car.receive(phone.drain(now: now), now: now)
        }
        let probes = car.statistics.probesSent - before
        #expect((10...20).contains(probes), "\(probes) probes in 10 s")
        #expect(car.clockEstimate?.at ?? 0 > now - ms(1_200))
    }
}
