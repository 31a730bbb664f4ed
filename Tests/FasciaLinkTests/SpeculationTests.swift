import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// Display and semantics messages sent behind a Hello that offers to resume (spec 8.7, R-8 and R-11).
struct SpeculationTests {
    static let resumed = Welcome.test { $0.resumed = Resumed.with { $0.presentedSequence = 4 } }

    /// A phone that says `bodies` as commits behind its Hello, and a car that has all of it.
    func speculate(_ bodies: [[UInt8]], limit: Int = .max) -> (phone: LinkMachine, car: LinkMachine) {
        var phone = LinkMachine.phone(.resuming(speculative: true))
        var car = LinkMachine.car()
        for body in bodies { #expect(phone.send(channel: 16, type: MessageType.commit, body: body, now: start) == .queued) }
        var bytes: [UInt8] = []
        while bytes.count < limit, phone.transmit(upTo: min(65_536, limit - bytes.count), into: &bytes, now: start) > 0 {}
        car.receive(bytes, now: start)
        #expect(car.takeEvents().names == ["hello"])
        return (phone, car)
    }

    @Test func itCountsWhenTheSessionGoesOn() {
        var (phone, car) = speculate([[1], [2]])
        car.accept(Self.resumed, now: start)
        let events = settle(&phone, &car)
        #expect(events.phone.names == ["established"])
        #expect(events.car.names == ["established", "display 0 Commit 1", "display 0 Commit 1"])
        #expect(events.car.bodies == [[1], [2]])
        #expect(car.hasPeerAnswered)
    }

    /// The owner shows what is there before it answers; what comes until then keeps its place behind that, and all of it its credit.
    @Test func itMayBeTakenBeforeTheAnswer() {
        let body = [UInt8](repeating: 1, count: 400_000)
        var (phone, car) = speculate([body, [2]])
        #expect(car.takeHeld(on: 4).isEmpty && car.takeHeld(on: 17).isEmpty)
        #expect(car.takeHeld(on: 16).map(\.body) == [body, [2]])
        #expect(car.takeHeld(on: 16).isEmpty && car.heldBytes == 0)
        #expect(!frames(car.drain()).contains { $0.header.type == .credit }) // not before Welcome
        #expect(phone.send(channel: 16, type: MessageType.commit, body: [3], now: start) == .queued)
        car.receive(phone.drain(), now: start)
        car.accept(Self.resumed, now: start)
        #expect(car.takeHeld(on: 16).isEmpty)
        let events = settle(&phone, &car)
        #expect(events.car.bodies == [[3]])
        for _ in 0..<6 { #expect(phone.send(channel: 16, type: MessageType.commit, body: body, now: start) == .queued) }
        #expect(settle(&phone, &car).car.bodies.count == 6)
    }

    @Test func itIsDroppedUntilProceedWhenANewSessionBegins() {
        var (phone, car) = speculate([[1], [2]])
        car.accept(.test, now: start)
        #expect(car.takeEvents().names == ["established"])
        // Late bytes of the old session, from before the phone knew.
        car.receive(message(16, MessageType.commit, [3]) + message(4, MessageType.semanticsUpdate, [3]), now: start)
        #expect(car.takeEvents().isEmpty)
        phone.receive(car.drain(), now: start)
        #expect(phone.takeEvents().names == ["established"])
        _ = phone.send(channel: 16, type: MessageType.commit, body: [9], now: start)
        let out = phone.drain()
        let first = frames(out).first { $0.header.isMessage }
        #expect(first?.payload == [0, 3])
        car.receive(out, now: start)
        #expect(car.takeEvents().bodies == [[9]])
    }

    /// Before Welcome a phone may send 1 MiB on each of 16 display channels: a head unit keeps what it may have a screen for.
    @Test func channelsThatWillNotBeOpenedFillNothing() {
        var car = LinkMachine.car { $0.channels = { $0 == 16 || $0 == 4 } }
        var hello = Hello.test
        (hello.versionMin, hello.versionMax) = (1, 1)
        hello.channels = [1, 2, 4] + (16...31).map { UInt32($0) }
        car.receive(message(.control, MessageType.hello, (try? hello.serializedBytes()) ?? []), now: start)
        #expect(car.takeEvents().names == ["hello"])
        let body = [UInt8](repeating: 7, count: 400_000)
        for channel in 16...31 as ClosedRange<UInt16> { car.receive(message(ChannelID(channel), MessageType.commit, body), now: start) }
        #expect(!car.isClosed && car.heldBytes == body.count)
        // Not even a Welcome that says so opens one whose messages are lost.
        car.accept(.test { $0.channels = [1, 2, 4, 16, 17] }, now: start)
        #expect(car.takeEvents().bodies.map(\.count) == [body.count])
        car.receive(message(17, MessageType.commit, body), now: start)
        #expect(!car.isClosed && car.heldBytes == 0)
    }

    /// A message that had begun on a channel that Welcome does not open is let go of.
    @Test func beginningsOnUnopenedChannelsAreLetGo() {
        var car = LinkMachine.car()
        var hello = Hello.test
        (hello.versionMin, hello.versionMax) = (1, 1)
        hello.channels = [1, 2, 4, 16, 17]
        car.receive(message(.control, MessageType.hello, (try? hello.serializedBytes()) ?? []), now: start)
        car.receive(frame(.message, flags: .first, channel: 17, [0x10, 0x03] + [UInt8](repeating: 0, count: 10_000)), now: start)
        #expect(car.heldBytes == 10_000)
        car.accept(.test, now: start)
        #expect(car.heldBytes == 0 && !car.isClosed)
    }

    @Test func whatWasNotSentIsDroppedByThePhone() {
        // One frame of the first commit is out, the rest of it and the second commit wait.
        var (phone, car) = speculate([[UInt8](repeating: 1, count: 40_000), [2]], limit: 17_000)
        #expect(phone.statistics.queuedBytes[16] ?? 0 > 20_000)
        car.accept(.test, now: start)
        phone.receive(car.drain(), now: start)
        _ = phone.send(channel: 16, type: MessageType.commit, body: [9], now: start)
        let events = settle(&phone, &car)
        // The unfinished one is finished and dropped, the new one arrives.
        #expect(events.car.bodies == [[9]])
        #expect(events.car.closure == nil && !car.isClosed && !phone.isClosed)
    }

    @Test func droppedBytesGiveTheirCreditBack() {
        let body = [UInt8](repeating: 1, count: 200_000)
        var (phone, car) = speculate([body, body, body, body, body])
        car.accept(.test, now: start)
        _ = settle(&phone, &car)
        for _ in 0..<20 { #expect(phone.send(channel: 16, type: MessageType.commit, body: body, now: start) == .queued) }
        #expect(settle(&phone, &car).car.bodies.count == 20)
    }

    @Test func aPhoneThatDoesNotProceedShowsNothing() {
        var (_, car) = speculate([[1]])
        car.accept(.test, now: start)
        _ = car.takeEvents()
        for _ in 0..<1_000 {
            car.receive(message(16, MessageType.commit, [UInt8](repeating: 0, count: 5_000)), now: start)
            _ = car.drain()
        }
        #expect(car.takeEvents().isEmpty && !car.isClosed)
        car.receive(message(0, MessageType.proceed), now: start)
        car.receive(message(16, MessageType.commit, [7]), now: start)
        #expect(car.takeEvents().bodies == [[7]])
        car.receive(message(0, MessageType.proceed), now: start)
        #expect(car.takeEvents().closure?.code == .illegalMessage) // once only
    }

    /// Nothing that comes before the answer takes more memory than the channels' initial credit.
    @Test func aFloodIsStoppedByTheCredit() {
        var (_, car) = speculate([])
        let body = [UInt8](repeating: 0, count: 100_000)
        for _ in 0..<10 { car.receive(message(16, MessageType.resource, body), now: start) }
        #expect(!car.isClosed)
        #expect(!frames(car.drain()).contains { $0.header.type == .credit })
        car.receive(message(16, MessageType.resource, body), now: start)
        #expect(car.takeEvents().closure?.code == .creditExceeded)
    }

    @Test func withoutTheWordNothingMayGoAhead() {
        var car = LinkMachine.car()
        var phone = LinkMachine.phone(.resuming(speculative: false))
        car.receive(phone.drain() + message(16, MessageType.commit, [1]), now: start)
        #expect(car.takeEvents().closure?.code == .illegalMessage)
    }

    @Test func theFirstFlightMarksItself() {
        let hello = Hello.resuming(speculative: false)
        #expect(!FirstFlight(hello: hello).hello.resume.speculative)
        #expect(FirstFlight(hello: hello, messages: [.init(channel: 16, type: MessageType.commit, body: [])]).hello.resume.speculative)
        #expect(!FirstFlight(hello: .test, messages: [.init(channel: 16, type: MessageType.commit, body: [])]).hello.hasResume)
    }

    /// Cut at every byte and in every chunk size, a refused flight ends the same way.
    @Test(arguments: [1, 2, 7, 8, 9, 64, 1_000])
    func chunksDoNotMatter(_ chunk: Int) {
        for answered in stride(from: 40, through: 3_000, by: 97) {
            var phone = LinkMachine.phone(.resuming(speculative: true))
            var car = LinkMachine.car()
            for number in UInt8(1)...5 { _ = phone.send(channel: 16, type: MessageType.commit, body: [UInt8](repeating: number, count: 600), now: start) }
            let flight = phone.drain()
            var events: [LinkEvent] = []
            var isAccepted = false
            for offset in stride(from: 0, to: flight.count, by: chunk) {
                if offset >= answered, !isAccepted { isAccepted = car.accept(.test, now: start) }
                car.receive(Array(flight[offset..<min(offset + chunk, flight.count)]), now: start)
                events += car.takeEvents()
            }
            if !isAccepted { car.accept(.test, now: start) }
            phone.receive(car.drain(), now: start)
            _ = phone.send(channel: 16, type: MessageType.commit, body: [9], now: start)
            events += settle(&phone, &car).car
            #expect(events.bodies == [[9]], "answered after \(answered) bytes")
            #expect(!car.isClosed && !phone.isClosed)
        }
    }

    /// A message of an unknown type that began before Proceed takes nothing with it that begins after.
    @Test func anUnknownMessageAcrossProceedIsItsOwnEnd() {
        for type in [0x7F01, MessageType.commit] as [UInt16] {
            var (_, car) = speculate([])
            car.accept(.test, now: start)
            _ = car.takeEvents()
            let whole = frames(message(16, type, [UInt8](repeating: 1, count: 20_000)))
            car.receive(whole[0].header.bytes + whole[0].payload + message(0, MessageType.proceed), now: start)
            car.receive(whole[1].header.bytes + whole[1].payload, now: start)
            #expect(car.takeEvents().isEmpty)
            car.receive(message(16, MessageType.commit, [7]), now: start)
            #expect(car.takeEvents().bodies == [[7]])
        }
    }

    /// Only what was said for the session that did not go on is dropped.
    @Test func otherChannelsDoNotWaitForProceed() {
        var (_, car) = speculate([[1]])
        car.accept(.test, now: start)
        _ = car.takeEvents()
        car.receive(message(5, MessageType.ownershipRequest, []) + message(16, MessageType.commit, [2]), now: start)
        #expect(car.takeEvents().names == ["ownership OwnershipRequest 0"])
    }

    /// What waits for a channel that Welcome does not open is let go of.
    @Test func messagesForUnopenedChannelsAreLetGo() {
        var hello = Hello.test
        hello.channels = [1, 2, 4, 16, 17]
        var phone = LinkMachine.phone(hello), car = LinkMachine.car()
        for channel in [16, 17] as [ChannelID] { #expect(phone.send(channel: channel, type: MessageType.commit, body: [1, 2], now: start) == .queued) }
        var bytes: [UInt8] = []
        _ = phone.transmit(upTo: frames(phone.peek()).first.map { 8 + $0.payload.count } ?? 0, into: &bytes, now: start) // Hello alone
        car.receive(bytes, now: start)
        car.accept(.test, now: start)
        phone.receive(car.drain(), now: start)
        #expect(phone.queuedBytes(16) == 4 && phone.queuedBytes(17) == 0)
        #expect(phone.send(channel: 17, type: MessageType.commit, body: [], now: start) == .refused(.channelNotOpen))
        car.receive(phone.drain(), now: start)
        #expect(car.takeEvents().bodies == [[1, 2]])
    }

    @Test func aBegunMessageStaysWhenTheRestIsDropped() {
        var queue = SendQueue()
        for number in 1...3 as ClosedRange<UInt16> { queue.append(type: number, body: [1, 2, 3]) }
        let isSent = queue.advance(2)
        #expect(!isSent && queue.bytes == 13)
        queue.dropUnsent()
        #expect(queue.count == 1 && queue.bytes == 3 && queue.front.type == 1 && queue.sent == 2)
        let isWhole = queue.advance(3)
        #expect(isWhole && queue.isEmpty && queue.bytes == 0)
        queue.append(type: 4, body: [])
        queue.dropUnsent()
        #expect(queue.isEmpty && queue.bytes == 0)
    }
}
