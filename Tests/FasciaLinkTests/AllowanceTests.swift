import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// What is returned, kept and proposed, to the byte.
struct AllowanceTests {
    @Test func everyReceivedByteIsGrantedOnce() {
        var (phone, car) = openPair()
        var sent = 0, granted = 0
        for round in 0..<60 {
            // Fragments while earlier messages wait, so that credit is withheld; then all is taken.
            let body = [UInt8](repeating: 1, count: 40_000 + round)
            for _ in 0..<3 { _ = phone.send(channel: 16, type: MessageType.resource, body: body, now: start) }
            car.receive(phone.drain(), now: start)
            _ = car.takeEvents()
            let answer = car.drain()
            granted += frames(answer).filter { $0.header.type == .credit && $0.header.channel == 16 }.reduce(0) { $0 + $1.payload.reduce(0) { $0 << 8 | Int($1) } }
            phone.receive(answer, now: start)
            sent += 3 * (body.count + 2)
        }
        let owed = sent - (phone.statistics.queuedBytes[16] ?? 0) - granted
        #expect(owed >= 0 && owed < 1_048_576 / 4, "\(owed)")
    }

    @Test(arguments: [true, false])
    func lentMessagesArriveInOrderWithTheirEvents(_ isCut: Bool) {
        var (_, car) = openPair()
        car.observe(Evidence(.carrierLost, at: start), now: start)
        _ = car.takeEvents()
        let bytes = message(16, MessageType.commit, [1, 2, 3], maxPayload: isCut ? 3 : 100) + message(.input, 0x7F7F) + message(16, MessageType.commit, [4])
        var heard: [String] = []
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe car.receive(
                buffer, now: start + 1, onMessage: { channel, type, body in unsafe heard.append("\(channel.rawValue) \(type == MessageType.commit) \(Array(body))") },
                onEvent: { heard.append($0.name) })
        }
        #expect(heard == ["recovered", "16 true [1, 2, 3]", "16 true [4]"])
        #expect(car.nextEvent() == nil)
    }

    @Test func heldMessagesOnRefusedChannelsGiveTheirCreditBack() {
        var hello = Hello.resuming(speculative: true)
        hello.channels = [1, 2, 4, 16]
        var phone = LinkMachine.phone(hello)
        for _ in 0..<3 { _ = phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 100_000), now: start) }
        var car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        _ = car.takeEvents()
        car.accept(.test, now: start) // a new session: what was held is dropped
        let grants = frames(car.drain()).filter { $0.header.type == .credit && $0.header.channel == 16 }
        #expect(grants.map { $0.payload.reduce(0) { $0 << 8 | Int($1) } } == [300_006])
        #expect(car.statistics.messagesIgnored == 3)
    }

    @Test func proposedTextAndLimitsAreMadeLegal() throws {
        var proposed = Hello.test
        proposed.name = String(repeating: "n", count: 65)
        proposed.software = String(repeating: "s", count: 129)
        for (asked, allowed) in [(1, 1_024), (1_024, 1_024), (5_000, 5_000), (0x100_0000, 0xFF_FFFF)] as [(UInt32, UInt32)] {
            proposed.limits.maxFramePayload = asked
            proposed.limits.maxMessage = 1
            var phone = LinkMachine.phone(proposed)
            let hello = try Hello(serializedBytes: Array(try #require(frames(phone.drain()).first).payload.dropFirst(2)))
            #expect(hello.name.count == 64 && hello.software.count == 128)
            #expect(hello.limits.maxFramePayload == allowed)
            #expect(hello.limits.maxMessage == 1_048_576)
        }
    }

    @Test func screensOnChannelsThatWereNotAskedForAreLeftOut() throws {
        var hello = Hello.test
        hello.channels = [1, 16]
        let offer = Welcome.test(channels: [1, 16, 17]) {
            $0.screens = ([16, 17] as [UInt32]).map { channel in Screen.with { $0.channel = channel; $0.width = 800; $0.height = 480; $0.scale = 2 } }
        }
        var phone = LinkMachine.phone(hello), car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        car.accept(offer, now: start)
        phone.receive(car.drain(), now: start)
        guard case .established(let welcome) = try #require(phone.takeEvents().first) else { return }
        #expect(welcome.screens.map(\.channel) == [16])
    }

    @Test func heldBytesAreAllThatIsKept() {
        var (_, car) = openPair()
        #expect(car.heldBytes == 0)
        car.receive(message(16, MessageType.commit, [1, 2, 3]), now: start)
        #expect(car.heldBytes == 3)
        car.receive(frame(.message, flags: .first, channel: 16, [0, 1, 9, 9]), now: start)
        #expect(car.heldBytes == 5)
        car.receive([0, 0], now: start)
        #expect(car.heldBytes == 7)
        _ = car.takeEvents()
        #expect(car.heldBytes == 4)

        var early = LinkMachine.car()
        var phone = LinkMachine.phone()
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1, 2, 3, 4], now: start)
        early.receive(phone.drain(), now: start)
        _ = early.takeEvents()
        #expect(early.heldBytes == 4)
    }

    @Test func aQueueThatIsPartlyTakenGoesOn() {
        var queue = EventQueue()
        var taken: [UInt64] = []
        var next: UInt64 = 0
        for _ in 0..<50 {
            for _ in 0..<30 { queue.append(.late(for: next)); next += 1 }
            for _ in 0..<29 { if case .late(let number)? = queue.next()?.event { taken.append(number) } }
        }
        while let entry = queue.next() { if case .late(let number) = entry.event { taken.append(number) } }
        #expect(taken == Array(0..<next))
        #expect(queue.isEmpty)
    }

    @Test func aSendQueueThatIsPartlySentGoesOn() {
        var queue = SendQueue()
        var next: UInt16 = 0, sent: [UInt16] = [], waiting = 0
        for _ in 0..<50 {
            for _ in 0..<30 { queue.append(type: next, body: [1, 2]); next += 1; waiting += 4 }
            for _ in 0..<29 {
                sent.append(queue.front.type)
                let isEarly = queue.advance(3), isSent = queue.advance(1)
                #expect(!isEarly && isSent)
                waiting -= 4
                #expect(queue.bytes == waiting)
            }
        }
        while !queue.isEmpty { sent.append(queue.front.type); _ = queue.advance(4) }
        #expect(sent == Array(0..<next))
        #expect(queue.bytes == 0 && queue.count == 0)
    }

    @Test func aFragmentOfTwoBytesCanBegin() {
        // A message begins only if its type fits into the credit; with exactly as much it does.
        var (phone, _) = openPair()
        _ = phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 1_048_576 - 4), now: start)
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: start)
        let bytes = phone.drain()
        let sent = frames(bytes).filter { $0.header.type == .message }
        #expect(sent.last?.header.length == 2)
        #expect(sent.reduce(0) { $0 + $1.header.length } == 1_048_576)
    }

    @Test func greaseLooksAsSpecified() {
        var grease = Grease(seed: 0)
        // SplitMix64 of seed 0, so that a seed gives the same bytes for ever.
        #expect(grease.next() == 0xE220_A839_7B1D_CDAF)
        #expect(grease.next() == 0x6E78_9E6A_A1B9_65F4)
        var longest = 0
        for _ in 0..<500 {
            #expect(grease.number() & 0x0F0F == 0x0A0A)
            #expect(grease.frameType() & 0x0F == 0x0A)
            longest = max(longest, grease.payload().count)
        }
        #expect(longest == 32)
    }
}
