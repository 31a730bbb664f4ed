import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// Nothing counts behind the end.
struct EndTests {
    struct Violation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let machine: @Sendable () -> LinkMachine
        let bytes: [UInt8]
    }

    static let violations: [Violation] = [
        Violation(testDescription: "message on a channel that is not open", machine: { openPair().car }, bytes: message(40, MessageType.commit)),
        Violation(testDescription: "message on another kind of channel", machine: { openPair().car }, bytes: message(1, MessageType.commit)),
        Violation(testDescription: "CREDIT before channels are open", machine: { .car() }, bytes: credit(1, 16)),
        Violation(testDescription: "CREDIT for no channel", machine: { openPair().car }, bytes: credit(1, 40)),
        Violation(testDescription: "too much CREDIT", machine: { openPair().car }, bytes: credit(0x7FFF_FFFF, 16)),
        Violation(testDescription: "undecodable Hello", machine: { .car() }, bytes: message(.control, MessageType.hello, [0xFF, 0xFF])),
        Violation(testDescription: "refused Hello", machine: { .car() }, bytes: message(.control, MessageType.hello, [0x08, 2, 0x10, 1])),
        Violation(testDescription: "undecodable Welcome", machine: { .phone() }, bytes: message(.control, MessageType.welcome, [0xFF, 0xFF])),
        Violation(testDescription: "refused Welcome", machine: { .phone() }, bytes: message(.control, MessageType.welcome)),
        Violation(testDescription: "second Hello", machine: { openPair().car }, bytes: message(.control, MessageType.hello)),
        Violation(testDescription: "fragment without a first", machine: { openPair().car }, bytes: frame(.message, channel: 16, [1])),
        Violation(testDescription: "a clock without the capability", machine: { openPair().car }, bytes: frame(.probe, flags: .ack, [UInt8](repeating: 0, count: 16))),
        Violation(testDescription: "more than the credit", machine: { openPair().phone },
                  bytes: (0..<17).flatMap { _ in message(2, 0x7F00, [UInt8](repeating: 0, count: 4_000)) }),
        Violation(testDescription: "more than the channel's longest message", machine: { openPair().phone },
                  bytes: frame(.message, flags: .first, channel: 2, [UInt8](repeating: 0, count: 4_097))),
    ]

    @Test(arguments: violations)
    func nothingBehindAViolationIsRead(_ violation: Violation) {
        var machine = violation.machine()
        _ = (machine.drain(), machine.takeEvents())
        var alone = machine
        alone.receive(violation.bytes, now: start)
        machine.receive(violation.bytes + frame(.probe, [0, 0, 0, 0, 0, 0, 0, 9]) + message(16, MessageType.commit), now: start)
        #expect(machine.isClosed)
        #expect(machine.statistics.framesIn == alone.statistics.framesIn)
        #expect(machine.takeEvents().count == 1)
        let sent = frames(machine.drain())
        #expect(sent.map(\.header.type) == [.close])
        #expect(!machine.wantsTransmit)
    }

    @Test func aPeersCloseIsTheEnd() {
        var car = openPair().car
        let before = car.statistics.framesIn
        var bytes: [UInt8] = []
        FrameWriter.close(code: CloseCode.goodbye.rawValue, detail: "", into: &bytes)
        car.receive(bytes + frame(.probe, [UInt8](repeating: 1, count: 8)), now: start)
        #expect(car.statistics.framesIn == before + 1)
        #expect(car.drain().isEmpty)
    }

    @Test func nothingIsSentBehindTheEnd() {
        var (phone, _) = openPair()
        _ = phone.send(channel: 16, type: MessageType.commit, body: [1, 2, 3], now: start)
        phone.close(.goodbye, detail: "", now: start)
        #expect(frames(phone.drain()).map(\.header.type) == [.close])
        #expect(phone.sendCapacity(16) == 0)
        #expect(phone.statistics.queuedBytes.isEmpty || phone.statistics.queuedBytes[16] == nil)
    }

    /// Calls that bring an earlier time do not turn the clock back.
    @Test func endsAreNotEarlierThanWhatWasHeard() {
        var (one, _) = openPair()
        one.receive(frame(.probe, [UInt8](repeating: 1, count: 8)), now: start + ms(50))
        var other = one, third = one
        one.close(.goodbye, detail: "", now: start)
        #expect(one.takeEvents().closure?.evidence.first?.at == start + ms(50))
        other.transportEnded(.fin, now: start)
        #expect(other.takeEvents().closure?.evidence.first?.at == start + ms(50))
        third.observe(Evidence(.carrierLost, at: start), now: start + ms(70))
        _ = third.takeEvents()
        third.close(.goodbye, detail: "", now: start)
        #expect(third.takeEvents().closure?.evidence.first?.at == start + ms(70))
    }

    @Test func aWholeMessageIsNotCut() {
        var (_, car) = openPair()
        car.receive(message(16, MessageType.commit, [1]), now: start)
        _ = car.takeEvents()
        car.transportEnded(.fin, now: start)
        #expect(car.takeEvents().closure?.evidence.first?.detail == "")
    }

    @Test func aDisplayMessageIsFollowedByAProbeOfThePhoneOnly() {
        var (phone, car) = openPair()
        _ = settle(&phone, &car)
        let probes = car.statistics.probesSent
        _ = car.send(channel: 16, type: MessageType.presented, body: [], now: start)
        _ = car.drain()
        #expect(car.statistics.probesSent == probes)
    }

    /// Bytes of an unfinished frame, an unfinished message and of messages that waited for an answer are let go with the connection.
    @Test(arguments: [0, 1, 2, 3]) func nothingIsKeptBehindTheEnd(_ end: Int) {
        var car = end == 0 ? LinkMachine.car() : openPair().car
        if end == 0 {
            var phone = LinkMachine.phone()
            _ = phone.send(channel: 16, type: MessageType.commit, body: [1, 2, 3], now: start)
            car.receive(phone.drain(), now: start)
        }
        car.receive(frame(.message, flags: .first, channel: 16, [0x10, 0x03] + [UInt8](repeating: 1, count: 500)), now: start)
        car.receive([0, 1, 0, 1, 0, 0, 0, 16] + [UInt8](repeating: 2, count: 100), now: start)
        _ = car.takeEvents()
        #expect(car.heldBytes == 608 + (end == 0 ? 3 : 0))
        switch end {
        case 0: car.close(.goodbye, detail: "", now: start)
        case 1: car.transportEnded(.reset, now: start)
        case 2: // the rest of the frame, then a violation with bytes behind it
            car.receive([UInt8](repeating: 2, count: 156) + message(40, MessageType.commit) + [0, 1, 0, 1, 0, 0, 0, 16, 9, 9], now: start)
        default: // the rest, and a bad header with bytes behind it
            car.receive([UInt8](repeating: 2, count: 156) + [0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 16, 9, 9], now: start)
        }
        #expect(car.isClosed)
        _ = car.takeEvents()
        #expect(car.heldBytes == 0)
    }

    /// What was owed to the peer when the end came is not sent behind CLOSE, and messages taken after it give no credit back.
    @Test func nothingIsOwedBehindTheEnd() {
        var (phone, car) = openPair()
        _ = phone.send(channel: 16, type: MessageType.resource, body: [UInt8](repeating: 1, count: 500_000), now: start)
        for _ in 0..<6 { _ = phone.send(channel: 4, type: MessageType.semanticsUpdate, body: [UInt8](repeating: 1, count: 14_000), now: start) }
        car.receive(phone.drain(), now: start) // CREDIT for fragments is due
        car.receive(frame(.probe, [0, 0, 0, 0, 0, 0, 0, 9]), now: start)
        car.observe(Evidence(.carrierLost, at: start), now: start) // a probe is due
        _ = car.send(channel: 1, type: MessageType.touch, body: [1], now: start)
        car.close(.goodbye, detail: "", now: start)
        #expect(car.queuedBytes(1) == 0)
        _ = car.takeEvents()
        #expect(frames(car.drain()).map(\.header.type) == [.close])
        #expect(!car.wantsTransmit)
        car.transportEnded(.fin, now: start)
        #expect(car.drain().isEmpty)
    }

    /// A frame of which some bytes have left goes on before CLOSE, however the buffers are cut.
    @Test(arguments: [1, 9, 30]) func aBegunFrameIsFinished(_ room: Int) {
        var (phone, _) = openPair()
        _ = phone.send(channel: 16, type: MessageType.commit, body: [UInt8](repeating: 7, count: 50), now: start)
        _ = phone.send(channel: 16, type: MessageType.commit, body: [8], now: start)
        var bytes: [UInt8] = []
        #expect(phone.transmit(upTo: room, into: &bytes, now: start) == room)
        phone.close(.goodbye, detail: "", now: start)
        bytes += phone.drain()
        #expect(frames(bytes).map(\.header.type) == [.message, .close])
        #expect(frames(bytes).first?.payload.count == 52)
    }

    /// A silent peer that may still listen hears why.
    @Test func aDeadLinkSaysSo() {
        var car = openPair().car
        car.deadlineReached(now: start + ms(300))
        _ = car.drain(now: start + ms(300))
        car.deadlineReached(now: start + ms(1_500))
        let closure = car.takeEvents().closure
        #expect(closure?.code == .timeout && closure?.detail == "no byte for 1500 ms" && closure?.initiator == .transport)
        #expect(frames(car.drain()).map(\.header.type) == [.close])
    }

    /// Time does not go back, whichever call told the latest.
    @Test func theLatestTimeHolds() {
        let later = start + ms(50)
        let calls: [(inout LinkMachine) -> Void] = [
            { $0.receive([0], now: later) },
            { _ = $0.send(channel: 1, type: MessageType.touch, body: [1], now: later) },
            { var bytes: [UInt8] = []; _ = $0.transmit(upTo: 100, into: &bytes, now: later) },
            { $0.deadlineReached(now: later) },
            { $0.observe(Evidence(.carrierLost, at: later), now: later) },
        ]
        for call in calls {
            var car = openPair().car
            call(&car)
            car.transportEnded(.fin, now: start)
            #expect(car.takeEvents().closure?.evidence.first?.at == later)
        }
        var car = openPair().car
        car.receive([0], now: later)
        car.close(.goodbye, detail: "", now: start)
        #expect(car.takeEvents().closure?.evidence.first?.at == later)
    }
}
