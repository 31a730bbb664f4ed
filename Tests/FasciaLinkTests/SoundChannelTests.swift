import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// Sound channels: what goes past the events, and what it does to credit and order.
struct SoundChannelTests {
    private static func packets(_ count: Int, _ size: Int) -> [UInt8] {
        (0..<count).flatMap { message(33, MessageType.audioPacket, AudioPacketHeader(stream: 1, sequence: UInt32($0), time: 0).encoded + [UInt8](repeating: 1, count: size)) }
    }

    @Test func soundGoesPastTheEvents() {
        var (phone, car) = openPair()
        car.deliversSoundDirectly = true
        let touchless = message(16, MessageType.commit, [])
        car.receive(Self.packets(2, 4) + touchless + message(33, MessageType.streamStop, []) + message(5, MessageType.ownershipRequest, []), now: start)
        #expect(car.takeEvents().names == ["display 0 Commit 0", "ownership OwnershipRequest 0"])
        var types: [UInt16] = []
        while let message = car.nextDirectMessage() {
            #expect(message.channel == 33)
            types.append(message.type)
        }
        #expect(types == [MessageType.audioPacket, MessageType.audioPacket, MessageType.streamStop])
        #expect(phone.send(channel: 33, type: MessageType.audioPacket, body: [], now: start) == .queued)
        #expect(phone.queuedBytes(33) == 2 && phone.queuedBytes(16) == 0 && phone.queuedBytes(34) == 0)
    }

    @Test func whatWaitsMovesToWhoComesLater() {
        var (_, car) = openPair()
        car.receive(Self.packets(2, 4) + message(16, MessageType.commit, []) + message(33, MessageType.streamStop, []), now: start)
        car.deliversSoundDirectly = true
        car.receive(Self.packets(1, 4), now: start)
        #expect(car.takeEvents().names == ["display 0 Commit 0"])
        var types: [UInt16] = []
        while let message = car.nextDirectMessage() { types.append(message.type) }
        #expect(types == [MessageType.audioPacket, MessageType.audioPacket, MessageType.streamStop, MessageType.audioPacket])
    }

    @Test func creditComesBackWhenTaken() {
        var (_, car) = openPair()
        car.deliversSoundDirectly = true
        car.receive(Self.packets(4, 8_000), now: start)
        #expect(!frames(car.drain()).contains { $0.header.type == .credit })
        while car.nextDirectMessage() != nil {}
        #expect(frames(car.drain()).contains { $0.header.type == .credit && $0.header.channel == 33 })
    }

    @Test func creditBoundsWhatIsHeld() {
        var (_, car) = openPair()
        car.deliversSoundDirectly = true
        car.receive(Self.packets(9, 8_000), now: start)
        #expect(car.takeEvents().closure?.code == .creditExceeded)
        #expect(car.heldBytes <= 65_536)
    }

    @Test func overtakesPictures() {
        var (phone, _) = openPair()
        _ = phone.send(channel: 16, type: MessageType.commit, body: [UInt8](repeating: 0, count: 100_000), now: start)
        _ = phone.send(channel: 33, type: MessageType.audioPacket, body: [1], now: start)
        _ = phone.send(channel: 5, type: MessageType.ownershipRequest, body: [], now: start)
        #expect(frames(phone.drain()).filter(\.header.isMessage).prefix(3).map(\.header.channel) == [5, 33, 16])
    }

    /// Only messages of sound move; what else waits stays, in order.
    @Test func otherEventsStayWhereTheyAre() {
        var phone = LinkMachine.phone(), car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        car.accept(.test, now: start)
        phone.receive(car.drain() + message(33, MessageType.streamStarted, []) + message(1, MessageType.touch, []) + message(48, MessageType.audioPacket, []), now: start)
        phone.deliversSoundDirectly = true
        #expect(phone.takeEvents().names == ["established", "input TouchEvent 0"])
        let types = [phone.nextDirectMessage()?.type, phone.nextDirectMessage()?.type, phone.nextDirectMessage()?.type]
        #expect(types == [MessageType.streamStarted, MessageType.audioPacket, nil])
    }
}
