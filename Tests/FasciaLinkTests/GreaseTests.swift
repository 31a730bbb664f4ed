import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

struct GreaseTests {
    @Test func everySeedIsTolerated() {
        var ignoredFrames: UInt64 = 0
        var ignoredMessages: UInt64 = 0
        for seed in UInt64(0)..<50 {
            var (phone, car) = openPair(phone: { $0.greaseSeed = seed }, car: { $0.greaseSeed = ~seed })
            for number in UInt8(0)..<10 {
                _ = phone.send(channel: 16, type: MessageType.commit, body: [number], now: start)
                _ = car.send(channel: 1, type: MessageType.touch, body: [number], now: start)
            }
            let events = settle(&phone, &car)
            #expect(events.car.bodies == (0..<10).map { [$0] })
            #expect(events.phone.bodies == (0..<10).map { [$0] })
            ignoredFrames += car.statistics.framesIgnored
            ignoredMessages += phone.statistics.messagesIgnored
        }
        #expect(ignoredFrames > 10 && ignoredMessages > 10)
    }

    @Test func theSameSeedGivesTheSameBytes() {
        func bytes(_ seed: UInt64?) -> [UInt8] {
            var phone = LinkMachine.phone { $0.greaseSeed = seed }
            for _ in 0..<20 { _ = phone.send(channel: 16, type: MessageType.commit, body: [1], now: start) }
            return phone.drain()
        }
        #expect(bytes(1) == bytes(1))
        #expect(bytes(1) != bytes(2))
        #expect(bytes(nil).count < bytes(1).count)
    }

    @Test func helloCarriesUnknownValues() throws {
        var phone = LinkMachine.phone { $0.greaseSeed = 3 }
        var car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        guard case .helloReceived(let hello) = try #require(car.takeEvents().first) else { return }
        #expect(hello.capabilities.contains { $0 & 0x0F0F == 0x0A0A })
        #expect(hello.channels.contains { $0 & 0x0F0F == 0x0A0A })
    }
}
