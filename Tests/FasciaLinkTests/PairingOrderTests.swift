import FasciaWire
import Testing

@testable import FasciaLink

struct PairingOrderTests {
    @Test func wholeExchange() {
        var phone = LinkMachine.phone { $0.mode = .pairing }
        var car = LinkMachine.car { $0.mode = .pairing }
        #expect(phone.drain().isEmpty)
        #expect(phone.send(channel: .control, type: MessageType.pairStart, body: [1], now: start) == .queued)
        #expect(settle(&phone, &car).car.names == ["control PairStart 1"])
        #expect(car.send(channel: .control, type: MessageType.pairReply, body: [1, 2], now: start) == .queued)
        #expect(settle(&phone, &car).phone.names == ["control PairReply 2"])
        #expect(phone.send(channel: .control, type: MessageType.pairConfirm, body: [1, 2, 3], now: start) == .queued)
        #expect(settle(&phone, &car).car.names == ["control PairConfirm 3"])
        #expect(car.send(channel: .control, type: MessageType.pairDone, body: [], now: start) == .queued)
        car.close(.paired, detail: "", now: start)
        let end = settle(&phone, &car)
        #expect(end.phone.names == ["control PairDone 0", "closed PAIRED remote"])
        #expect(end.car.names == ["closed PAIRED local"])
    }

    @Test func oneAttemptAConnection() {
        var car = LinkMachine.car { $0.mode = .pairing }
        car.receive(message(.control, MessageType.pairStart), now: start)
        car.receive(message(.control, MessageType.pairStart), now: start)
        #expect(car.takeEvents().names == ["control PairStart 0", "closed ILLEGAL_MESSAGE local"])
        var phone = LinkMachine.phone { $0.mode = .pairing }
        #expect(phone.send(channel: .control, type: MessageType.pairConfirm, body: [], now: start) == .refused(.illegalMessage))
        #expect(phone.send(channel: .control, type: MessageType.pairStart, body: [], now: start) == .queued)
        #expect(phone.send(channel: .control, type: MessageType.pairStart, body: [], now: start) == .refused(.illegalMessage))
    }

    @Test func peopleAreGivenTime() {
        var car = LinkMachine.car { $0.mode = .pairing }
        var phone = LinkMachine.phone { $0.mode = .pairing }
        var now = start
        while now < start + ms(119_000) {
            now = min(car.nextDeadline ?? .max, phone.nextDeadline ?? .max)
            car.deadlineReached(now: now)
            phone.deadlineReached(now: now)
            _ = settle(&phone, &car, now: now)
        }
        #expect(!car.isClosed && !phone.isClosed)
        car.deadlineReached(now: start + ms(120_000))
        #expect(car.takeEvents().names == ["closed HANDSHAKE_TIMEOUT local"])
    }

    @Test func aVanishedPhoneDoesNotHoldPairing() {
        var car = LinkMachine.car { $0.mode = .pairing }
        while let deadline = car.nextDeadline, !car.isClosed { car.deadlineReached(now: deadline) }
        let closure = car.takeEvents().closure
        #expect(closure?.evidence.first?.kind == .probeTimeout)
        #expect(closure?.evidence.first?.at == start + ms(10_000))
    }
}
