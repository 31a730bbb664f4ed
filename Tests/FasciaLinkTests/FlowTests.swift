import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// Credit, priorities, fragments and queues.
struct FlowTests {
    @Test func senderStopsAtTheCredit() {
        var (phone, car) = openPair()
        for _ in 0..<3 {
            #expect(phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 500_000), now: start) == .queued)
        }
        let first = phone.drain()
        let sent = frames(first).filter { $0.header.type == .message }.reduce(0) { $0 + $1.header.length }
        #expect(sent == 1_048_576)
        #expect(!phone.wantsTransmit)
        #expect(phone.statistics.queuedBytes[16] == 3 * 500_002 - 1_048_576)
        car.receive(first, now: start)
        // Two whole messages wait to be taken, the fragments of the third count as consumed.
        let early = frames(car.drain()).filter { $0.header.type == .credit }
        #expect(early.count == 1)
        #expect(car.takeEvents().names == ["display 0 Resource 500000", "display 0 Resource 500000"])
        phone.receive(credit(4, 16), now: start)
        #expect(frames(phone.drain()).map(\.header.length) == [4])
    }

    @Test func creditComesBackWhenMessagesAreTaken() {
        var (phone, car) = openPair()
        var received = 0
        for _ in 0..<40 {
            #expect(phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 100_000), now: start) == .queued)
            received += settle(&phone, &car).car.count
        }
        #expect(received == 40)
        #expect(phone.statistics.queuedBytes[16] == 0)
    }

    @Test func untakenMessagesHoldTheirCredit() {
        var (phone, car) = openPair()
        let size = 8_192
        for _ in 0..<200 { _ = phone.send(channel: 16, type: MessageType.commit, body: [UInt8](repeating: 1, count: size - 2), now: start) }
        for _ in 0..<10 {
            car.receive(phone.drain(), now: start)
            phone.receive(car.drain(), now: start)
        }
        #expect(phone.statistics.queuedBytes[16] == 200 * size - 1_048_576)
        #expect(settle(&phone, &car).car.count == 200)
    }

    @Test func excessBytesAreAViolation() {
        var (_, car) = openPair()
        var bytes: [UInt8] = []
        for _ in 0..<64 { bytes += frame(.message, flags: .whole, channel: 16, [0x77, 0x77] + [UInt8](repeating: 0, count: 16_382)) }
        var (untaken, _) = openPair()
        // Nobody reads what the phone gets, so its credit does not come back.
        for _ in 0..<16 { untaken.receive(message(1, MessageType.touch, [UInt8](repeating: 0, count: 4_094)), now: start) }
        #expect(!untaken.isClosed)
        untaken.receive(message(1, MessageType.touch), now: start)
        #expect(untaken.takeEvents().closure?.code == .creditExceeded)
        // Unknown messages are consumed at once, but the grant must go out before more may come.
        car.receive(bytes, now: start)
        #expect(!car.isClosed)
        car.receive(message(16, 0x7777), now: start)
        #expect(car.takeEvents().closure?.code == .creditExceeded)
    }

    @Test func messagesAreLimitedPerChannel() {
        var (phone, car) = openPair()
        #expect(car.send(channel: 1, type: MessageType.touch, body: [UInt8](repeating: 0, count: 4_095), now: start) == .refused(.messageTooLarge(limit: 4_096)))
        phone.receive(message(1, MessageType.touch, [UInt8](repeating: 0, count: 4_095)), now: start)
        #expect(phone.takeEvents().closure?.code == .messageTooLarge)
        _ = car
    }

    @Test func queuesAreBounded() {
        var (phone, _) = openPair(phone: { $0.sendQueueLimit = { _ in 1_000 } })
        #expect(phone.sendCapacity(16) == 1_000)
        #expect(phone.send(channel: 16, type: MessageType.commit, body: [UInt8](repeating: 0, count: 5_000), now: start) == .queued)
        #expect(phone.send(channel: 16, type: MessageType.commit, body: [], now: start) == .refused(.queueFull(queued: 5_002, limit: 1_000)))
        #expect(phone.send(channel: 4, type: MessageType.semanticsUpdate, body: [], now: start) == .queued)
        #expect(phone.sendCapacity(3) == 0)
    }

    @Test func urgentMessagesOvertakeFragments() {
        var (phone, car) = openPair()
        _ = phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 60_000), now: start)
        var out: [UInt8] = []
        _ = phone.transmit(upTo: 17_000, into: &out, now: start)
        _ = phone.send(channel: 4, type: MessageType.semanticsUpdate, body: [1], now: start)
        phone.receive(frame(.probe, [1, 2, 3, 4, 5, 6, 7, 8]), now: start)
        while phone.transmit(upTo: 17_000, into: &out, now: start) > 0 {}
        #expect(frames(out).map(\.header.channel) == [16, 0, 4, 16, 16, 16, 0]) // a probe behind it all
        car.receive(out, now: start)
        #expect(car.takeEvents().names == ["semantics SemanticsUpdate 1", "display 0 Resource 60000"])
    }

    @Test func equalPrioritiesTakeTurns() {
        let two = openPair(
            hello: .with { $0.channels = [16, 17] },
            welcome: .test(channels: [16, 17]))
        var phone = two.phone
        for channel: ChannelID in [16, 17] {
            _ = phone.send(channel: channel, type: MessageType.resource, body: [UInt8](repeating: 1, count: 50_000), now: start)
        }
        let order = frames(phone.drain()).map(\.header.channel)
        #expect(order == [16, 17, 16, 17, 16, 17, 16, 17, 0])
    }

    @Test(arguments: [1, 7, 8, 9, 40, 71, 72, 100, 1_000, 16_392, 20_000])
    func anyOutputBufferGivesTheSameMessages(_ room: Int) {
        var (phone, car) = openPair()
        let bodies: [[UInt8]] = [[], [1], (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }, [2, 3]]
        for body in bodies { _ = phone.send(channel: 16, type: MessageType.commit, body: body, now: start) }
        while true {
            var out: [UInt8] = []
            let count = phone.transmit(upTo: room, into: &out, now: start)
            #expect(count == out.count && count <= room)
            if count == 0 { break }
            car.receive(out, now: start)
        }
        #expect(car.takeEvents().bodies == bodies)
    }

    @Test func optimisticMessagesAreHeldUntilTheAnswer() {
        var phone = LinkMachine.phone()
        var car = LinkMachine.car()
        #expect(phone.send(channel: 16, type: MessageType.commit, body: [1], now: start) == .queued)
        #expect(phone.send(channel: 4, type: MessageType.semanticsUpdate, body: [2], now: start) == .queued)
        car.receive(phone.drain(), now: start)
        #expect(car.takeEvents().names == ["hello"])
        car.accept(.test, now: start)
        #expect(car.takeEvents().names == ["established", "semantics SemanticsUpdate 1", "display 0 Commit 1"])
    }

    @Test func optimisticMessagesOnRefusedChannelsAreDropped() {
        var phone = LinkMachine.phone()
        var car = LinkMachine.car()
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: start)
        _ = phone.send(channel: 4, type: MessageType.semanticsUpdate, body: [2], now: start)
        car.receive(phone.drain(), now: start)
        car.accept(.test(channels: [16]), now: start)
        #expect(car.takeEvents().names == ["hello", "established", "display 0 Commit 1"])
        // What was on its way when Welcome left is dropped as well.
        _ = phone.send(channel: 4, type: MessageType.semanticsUpdate, body: [3], now: start)
        car.receive(phone.drain(), now: start)
        #expect(car.takeEvents().isEmpty)
        #expect(car.statistics.messagesIgnored == 2)
        phone.receive(car.drain(), now: start)
        #expect(phone.send(channel: 4, type: MessageType.semanticsUpdate, body: [4], now: start) == .refused(.channelNotOpen))
    }

    @Test func largeMessagesWaitForWelcome() {
        var phone = LinkMachine.phone()
        var car = LinkMachine.car()
        _ = phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 1_048_575), now: start)
        #expect(frames(phone.drain()).map(\.header.channel) == [0])
        var fresh = LinkMachine.phone()
        _ = fresh.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 2_000_000), now: start)
        car.receive(fresh.drain(), now: start)
        car.accept(.test(channels: [16]) { $0.limits.maxMessage = 1_500_000 }, now: start)
        fresh.receive(car.drain(), now: start)
        #expect(fresh.takeEvents().names == ["established", "closed INTERNAL_ERROR local"])
    }

    @Test func creditUsedUpBeforeTheAnswerComesBack() {
        var phone = LinkMachine.phone()
        var car = LinkMachine.car()
        _ = phone.send(channel: 4, type: MessageType.semanticsUpdate, body: [UInt8](repeating: 1, count: 900_000), now: start)
        car.receive(phone.drain(), now: start)
        car.accept(.test, now: start)
        #expect(settle(&phone, &car).car.names == ["hello", "established", "semantics SemanticsUpdate 900000"])
    }

    @Test func anOwnerThatTakesNothingHoldsTheMemoryDown() {
        var (phone, car) = openPair()
        for _ in 0..<20 {
            #expect(phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 3_000_000), now: start) == .queued)
        }
        for _ in 0..<100 {
            car.receive(phone.drain(), now: start)
            phone.receive(car.drain(), now: start)
        }
        // The first message came whole; after it only as much as the credit allows.
        let arrived = 60_000_040 - (phone.statistics.queuedBytes[16] ?? 0)
        #expect(arrived >= 3_000_002 && arrived <= 3_000_002 + 1_048_576 + 300_000, "\(arrived)")
        #expect(settle(&phone, &car).car.count == 20)
    }

    @Test func visitorGetsEverythingInOrder() {
        var (phone, car) = openPair()
        var bytes: [UInt8] = []
        for size in [1, 40_000, 3] {
            _ = phone.send(channel: 16, type: MessageType.commit, body: [UInt8](repeating: 9, count: size), now: start)
        }
        bytes = phone.drain()
        FrameWriter.close(code: 0, detail: "", into: &bytes)
        var log: [String] = []
        bytes.withUnsafeBytes { buffer in
            car.receive(
                buffer, now: start, onMessage: { channel, type, body in log.append("\(channel) \(type) \(body.count)") },
                onEvent: { log.append($0.name) })
        }
        #expect(log == ["display 0 4099 1", "display 0 4099 40000", "display 0 4099 3", "closed GOODBYE remote"])
    }

    @Test func probeAnswersAreBounded() {
        var (phone, _) = openPair()
        for id in 0..<100 { phone.receive(frame(.probe, [0, 0, 0, 0, 0, 0, 0, UInt8(id)]), now: start) }
        #expect(frames(phone.drain()).map(\.payload.last) == (92..<100).map { UInt8($0) })
    }
}
