import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// Single bytes, boundaries and counters that whole conversations do not notice.
struct ExactnessTests {
    @Test func oneCallGivesAllThatThereIsAndCountsIt() {
        var (phone, car) = openPair()
        for channel in [2, 16] as [ChannelID] {
            for _ in 0..<4 { _ = phone.send(channel: channel, type: channel == 2 ? MessageType.commit : MessageType.resource, body: [UInt8](repeating: 1, count: 15_000), now: start) }
        }
        car.receive(phone.drain(), now: start)
        for id in UInt8(1)...2 { car.receive(frame(.probe, [0, 0, 0, 0, 0, 0, 0, id]), now: start) }
        _ = car.takeEvents()
        _ = car.send(channel: 1, type: MessageType.touch, body: [1], now: start)
        _ = car.send(channel: 1, type: MessageType.touch, body: [2], now: start)
        let before = car.statistics
        var once = car
        var bytes: [UInt8] = []
        _ = once.transmit(upTo: 65_536, into: &bytes, now: start)
        #expect(bytes == car.drain())
        #expect(once.transmit(upTo: 65_536, into: &bytes, now: start) == 0)
        #expect(!once.wantsTransmit)
        #expect(once.statistics.framesOut - before.framesOut == UInt64(frames(bytes).count))
        #expect(once.statistics.bytesOut - before.bytesOut == UInt64(bytes.count))
        #expect(Set(frames(bytes).map(\.header.type)).isSuperset(of: [.probe, .message]))
    }

    /// What does not fit any more is not taken off its queue: something more urgent may come first.
    @Test func aFullBufferTakesNoFurtherFrame() {
        var (_, car) = openPair()
        for id in UInt8(1)...2 { car.receive(frame(.probe, [0, 0, 0, 0, 0, 0, 0, id]), now: start) }
        let before = car.statistics.framesOut
        let one = frames(car.peek())[0]
        var bytes: [UInt8] = []
        #expect(car.transmit(upTo: 8 + one.payload.count, into: &bytes, now: start) == 8 + one.payload.count)
        #expect(car.statistics.framesOut - before == 1)
    }

    /// What fits to the last byte goes.
    @Test func anExactlyFullBufferIsFull() {
        var (_, car) = openPair()
        car.receive(frame(.probe, [0, 0, 0, 0, 0, 0, 0, 9]), now: start)
        for body in [[1], [2, 3]] as [[UInt8]] { _ = car.send(channel: 1, type: MessageType.touch, body: body, now: start) }
        let all = car.peek().count
        var bytes: [UInt8] = []
        #expect(car.transmit(upTo: all, into: &bytes, now: start) == all)
        #expect(frames(bytes).count == 3 && !car.wantsTransmit)
    }

    /// A message is cut to fit room for 64 bytes, and waits in one piece before less.
    @Test(arguments: [(room: 64, length: 64), (room: 63, length: 1_002), (room: 65, length: 65)])
    func smallRooms(_ room: Int, _ length: Int) {
        var (phone, _) = openPair()
        _ = phone.send(channel: 16, type: MessageType.commit, body: [UInt8](repeating: 7, count: 1_000), now: start)
        var bytes: [UInt8] = []
        #expect(phone.transmit(upTo: 8 + room, into: &bytes, now: start) == 8 + room)
        #expect(Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2]) == length)
        bytes += phone.drain()
        #expect(frames(bytes).filter { $0.header.type == .message }.reduce(0) { $0 + $1.payload.count } == 1_002)
    }

    @Test func aSingleByteOfAFrameIsTheMiddleOfAMessage() {
        for (bytes, detail) in [([0], "in the middle of a message"), ([], "")] as [([UInt8], String)] {
            var (phone, _) = openPair()
            phone.receive(bytes, now: start)
            phone.transportEnded(.reset, now: start + 5)
            let evidence = phone.takeEvents().closure?.evidence.first
            #expect(evidence?.detail == detail && evidence?.at == start + 5)
        }
    }

    /// Fragments behind a message nobody has taken give no credit back, also when that message came before Welcome.
    @Test func heldMessagesAreUntakenOnes() {
        var phone = LinkMachine.phone(), car = LinkMachine.car()
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: start)
        car.receive(phone.drain(), now: start)
        car.accept(.test, now: start)
        phone.receive(car.drain(), now: start)
        func grants(_ bytes: [UInt8]) -> Int { frames(bytes).count { $0.header.type == .credit && $0.header.channel == 16 } }
        _ = car.takeEvents() // the one that was held, taken
        phone.receive(car.drain(), now: start)
        _ = phone.send(channel: 16, type: MessageType.commit, body: [2], now: start)
        _ = phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 900_000), now: start)
        var bytes: [UInt8] = []
        _ = phone.transmit(upTo: 700_000, into: &bytes, now: start)
        car.receive(bytes, now: start)
        #expect(grants(car.drain()) == 0)
        _ = car.takeEvents()
        #expect(grants(car.drain()) == 1)
    }

    @Test func aChannelNamedTwiceIsOne() {
        var hello = Hello.test
        hello.channels = [16, 1, 16, 1]
        var (phone, car) = openPair(hello: hello, welcome: .test(channels: [16, 1, 1]))
        #expect(phone.statistics.queuedBytes.count == car.statistics.queuedBytes.count)
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: start)
        _ = car.send(channel: 1, type: MessageType.touch, body: [1], now: start)
        #expect(phone.statistics.queuedBytes[16] == 3)
        #expect(settle(&phone, &car).car.names == ["display 0 Commit 1"])
        #expect(phone.statistics.queuedBytes.values.allSatisfy { $0 == 0 })
    }

    @Test func longTextsOfTheCarAreMadeLegal() throws {
        var phone = LinkMachine.phone(), car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        car.accept(.test { $0.name = String(repeating: "n", count: 65); $0.software = String(repeating: "s", count: 129) }, now: start)
        phone.receive(car.drain(), now: start)
        guard case .established(let welcome) = try #require(phone.takeEvents().first) else { return }
        #expect(welcome.name.count == 64 && welcome.software.count == 128)
    }

    /// What the owner's Welcome does not say is the configuration's, made legal.
    @Test func theConfigurationFillsInWelcome() throws {
        var phone = LinkMachine.phone()
        var car = LinkMachine.car {
            $0.limits = Limits.with { $0.maxFramePayload = 1; $0.maxMessage = 2_000_000 }
            $0.liveness = Liveness.with { $0.probeIntervalMs = 50; $0.suspectAfterMs = 250; $0.deadAfterMs = 777; $0.graceMs = 1 }
        }
        car.receive(phone.drain(), now: start)
        car.accept(.test, now: start)
        phone.receive(car.drain(), now: start)
        guard case .established(let welcome) = try #require(phone.takeEvents().first) else { return }
        #expect(welcome.limits.maxFramePayload == 1_024 && welcome.limits.maxMessage == 2_000_000)
        #expect(welcome.liveness == Liveness.with { $0.probeIntervalMs = 50; $0.suspectAfterMs = 250; $0.deadAfterMs = 777; $0.graceMs = 1 })
    }

    @Test func unknownFramesAreCounted() {
        var (_, car) = openPair()
        for _ in 0..<3 { car.receive(frame(FrameType(rawValue: 0x77), channel: 9, [1]), now: start) }
        #expect(car.statistics.framesIgnored == 3)
    }

    /// One byte that waits is something that waits.
    @Test func aFullQueueIsFullToItsLastByte() {
        var (phone, _) = openPair(phone: { $0.sendQueueLimit = { _ in 10 } })
        func send(_ size: Int) -> SendResult { phone.send(channel: 16, type: MessageType.commit, body: [UInt8](repeating: 0, count: size - 2), now: start) }
        #expect(send(1_000) == .queued) // alone it fits
        var bytes: [UInt8] = []
        _ = phone.transmit(upTo: 8 + 999, into: &bytes, now: start)
        #expect(phone.queuedBytes(16) == 1)
        #expect(send(10) == .refused(.queueFull(queued: 1, limit: 10)) && send(9) == .queued)
        #expect(phone.sendCapacity(16) == 0)
    }

    @Test func countersBeginAtNothing() {
        let counters = Mirror(reflecting: LinkStatistics()).children.compactMap { $0.value as? UInt64 }
        #expect(counters.count > 8 && counters.allSatisfy { $0 == 0 })
    }

    /// Grease goes before one message in eight or so, not before all others.
    @Test func greaseIsRare() {
        var count = 0
        for seed in UInt64(0)..<40 {
            var (phone, _) = openPair(phone: { $0.greaseSeed = seed })
            for number in UInt8(0)..<10 { _ = phone.send(channel: 16, type: MessageType.commit, body: [number], now: start) }
            count += frames(phone.drain()).count { $0.header.channel == 0 && $0.header.type != .probe }
        }
        #expect((20..<100).contains(count), "\(count) with 400 messages")
    }

    /// Liveness is counted from the answer, which the owner may think over.
    @Test func theClockGoesOnWithTheAnswer() {
        var phone = LinkMachine.phone(), car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        car.accept(.test, now: start + ms(1_000))
        _ = car.drain(now: start + ms(1_000))
        car.deadlineReached(now: start + ms(1_299))
        #expect(!car.isSuspect)
        car.deadlineReached(now: start + ms(1_300))
        #expect(car.isSuspect)
    }

    @Test func roundTripsAreSmoothedAsSpecified() {
        var estimator = RoundTripEstimator()
        #expect(estimator.smoothed == nil && estimator.variation == 0 && estimator.shortest == nil)
        for (number, trip) in ([800, 400, 1_600] as [UInt64]).enumerated() {
            estimator.sent(UInt64(number), at: 10_000, mark: 0)
            #expect(estimator.answered(UInt64(number), at: 10_000 + trip)?.id == UInt64(number))
        }
        // RFC 6298: 800 (400); 750 (400); 856 (511).
        #expect(estimator.smoothed == 750 / 8 * 7 + 200)
        #expect(estimator.variation == 400 / 4 * 3 + 850 / 4)
        #expect(estimator.shortest == 400)
    }

    /// Anything to send, of whatever kind, is told and given; nothing is neither.
    @Test func wantsAreTold() {
        var (phone, car) = openPair()
        #expect(!car.wantsTransmit && car.peek().isEmpty)
        var bytes: [UInt8] = []
        _ = car.send(channel: 1, type: MessageType.touch, body: [1], now: start)
        #expect(car.wantsTransmit)
        #expect(car.transmit(upTo: 0, into: &bytes, now: start) == 0 && car.transmit(upTo: -1, into: &bytes, now: start) == 0 && bytes.isEmpty)
        #expect(!car.drain().isEmpty && !car.wantsTransmit)
        car.receive(frame(.probe, [0, 0, 0, 0, 0, 0, 0, 9]), now: start)
        #expect(car.wantsTransmit && !car.drain().isEmpty && !car.wantsTransmit)
        car.observe(Evidence(.carrierLost, at: start), now: start)
        #expect(car.wantsTransmit && !car.drain().isEmpty && !car.wantsTransmit)
        // Without credit a message waits.
        _ = phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 1_048_574), now: start)
        _ = phone.drain()
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: start)
        #expect(!phone.wantsTransmit)
        phone.receive(credit(2, 16), now: start)
        #expect(phone.wantsTransmit)
        #expect(frames(phone.drain()).map(\.payload) == [[0x10, 0x03]])
    }

    /// GREASE before a message does not end the buffer it is in.
    @Test func greaseGoesWithItsMessage() {
        for seed in UInt64(0)..<20 {
            var (phone, _) = openPair(phone: { $0.greaseSeed = seed })
            for number in UInt8(0)..<20 { _ = phone.send(channel: 16, type: MessageType.commit, body: [number], now: start) }
            var bytes: [UInt8] = []
            _ = phone.transmit(upTo: 65_536, into: &bytes, now: start)
            #expect(frames(bytes).count { $0.header.channel == 16 } == 20, "seed \(seed)")
            // At most once before each.
            let kinds = frames(bytes).filter { $0.header.type != .probe }.map { $0.header.channel == 16 }
            #expect(zip(kinds, kinds.dropFirst()).allSatisfy { $0 || $1 }, "seed \(seed)")
            // Frames of unknown types as the specification says (14.2): on channel 0, at most 32 bytes.
            for frame in frames(bytes) where !frame.header.type.isKnown { #expect(frame.header.channel == 0 && frame.payload.count <= 32 && frame.header.type.isGrease) }
        }
    }
}
