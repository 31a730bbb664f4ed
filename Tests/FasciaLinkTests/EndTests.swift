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
        Violation(testDescription: "more than the credit", machine: { openPair().phone },
                  bytes: message(2, 0x7F00, [UInt8](repeating: 0, count: 4_000)) + frame(.message, flags: .first, channel: 2, [UInt8](repeating: 0, count: 16_000))
                      + frame(.message, flags: .first, channel: 2, [UInt8](repeating: 0, count: 16_000))),
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
}
