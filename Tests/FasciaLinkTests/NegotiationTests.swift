import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

struct NegotiationTests {
    @Test func helloAndWelcome() throws {
        var phone = LinkMachine.phone()
        var car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        let asked = car.takeEvents()
        #expect(asked.names == ["hello"])
        guard case .helloReceived(let hello) = try #require(asked.first) else { return }
        #expect(hello.versionMin == 1 && hello.versionMax == 1)
        #expect(hello.name == "Test phone")
        #expect(!car.isOpen)
        let accepted = car.accept(.test, now: start)
        #expect(accepted)
        #expect(car.takeEvents().names == ["established"])
        phone.receive(car.drain(), now: start)
        let answer = phone.takeEvents()
        #expect(answer.names == ["established"])
        guard case .established(let welcome) = try #require(answer.first) else { return }
        #expect(welcome.version == 1)
        #expect(welcome.channels == [1, 2, 4, 5, 16, 33, 48])
        #expect(welcome.capabilities == [1, 2])
        #expect(welcome.liveness.probeIntervalMs == 100 && welcome.liveness.deadAfterMs == 1_500)
        #expect(phone.isOpen && car.isOpen)
        #expect(phone.timing == car.timing)
        let again = car.accept(.test, now: start)
        #expect(!again)
    }

    @Test func onlyCommonAndKnownThingsAreInForce() throws {
        let hello = Hello.with { $0.channels = [1, 16, 17, 3, 48, 200, 0x1A1A, 0xFFFF_FFFF, 16]; $0.capabilities = [1, 99] }
        let offer = Welcome.test(channels: [1, 2, 16, 3, 200]) { $0.capabilities = [1, 2, 99] }
        var phone = LinkMachine.phone(hello)
        var car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        car.accept(offer, now: start)
        phone.receive(car.drain(), now: start)
        for events in [phone.takeEvents(), car.takeEvents()] {
            guard case .established(let welcome) = try #require(events.last) else { return }
            #expect(welcome.channels == [1, 16])
            #expect(welcome.capabilities == [1])
        }
        #expect(phone.send(channel: 17, type: MessageType.commit, body: [], now: start) == .refused(.channelNotOpen))
    }

    @Test(arguments: [(true, true, true), (true, true, false), (true, false, true), (false, true, true)])
    func soundChannelsNeedSound(phone hasFormats: Bool, car takes: Bool, microphone: Bool) throws {
        var hello = Hello.test
        if !hasFormats { hello.clearAudio() }
        var offer = Welcome.test(channels: [1, 16, 33, 48])
        if !takes { offer.audio.formats = [] }
        if !microphone { offer.audio.microphone = [] }
        var (phone, car) = (LinkMachine.phone(hello), LinkMachine.car())
        car.receive(phone.drain(), now: start)
        car.accept(offer, now: start)
        guard case .established(let welcome) = try #require(car.takeEvents().last) else { return }
        #expect(welcome.channels == [1, 16] + (hasFormats && takes ? [33] : []) + (microphone ? [48] : []))
    }

    @Test func resumeFieldsPassThrough() throws {
        let hello = Hello.with {
            $0.resume = Resume.with { $0.token = .init([1, 2, 3]); $0.sessionID = .init([4]); $0.presentedSequence = 7 }
        }
        let offer = Welcome.test { $0.resumed = Resumed.with { $0.highestResource = 5; $0.presentedSequence = 6 } }
        var phone = LinkMachine.phone(hello)
        var car = LinkMachine.car()
        // What a resumed session may show is known only from Welcome.
        #expect(phone.send(channel: 16, type: MessageType.commit, body: [], now: start) == .refused(.channelNotOpen))
        car.receive(phone.drain(), now: start)
        guard case .helloReceived(let heard) = try #require(car.takeEvents().first) else { return }
        #expect(heard.resume == hello.resume)
        car.accept(offer, now: start)
        phone.receive(car.drain(), now: start)
        guard case .established(let welcome) = try #require(phone.takeEvents().first) else { return }
        #expect(welcome.resumed == offer.resumed && welcome.sessionID == offer.sessionID && welcome.resumeToken == offer.resumeToken)
    }

    struct BadHello: Sendable {
        let name: String
        let hello: Hello
        let code: CloseCode
    }

    static let badHellos: [BadHello] = [
        BadHello(name: "newer version", hello: .with { $0.versionMin = 2; $0.versionMax = 3 }, code: .versionUnsupported),
        BadHello(name: "no version", hello: .with { $0.versionMin = 0; $0.versionMax = 0 }, code: .versionUnsupported),
        BadHello(name: "empty range", hello: .with { $0.versionMin = 2; $0.versionMax = 1 }, code: .badMessage),
        BadHello(name: "long name", hello: .with { $0.versionMin = 1; $0.versionMax = 1; $0.name = String(repeating: "n", count: 65) }, code: .badMessage),
        BadHello(name: "many formats", hello: .with { $0.versionMin = 1; $0.versionMax = 1; $0.audio.formats = Array(repeating: .init(), count: 65) }, code: .badMessage),
        BadHello(name: "many channels", hello: .with { $0.versionMin = 1; $0.versionMax = 1; $0.channels = Array(0...64) }, code: .badMessage),
        BadHello(name: "tiny frames", hello: .with { $0.versionMin = 1; $0.versionMax = 1; $0.limits.maxFramePayload = 1_023 }, code: .badMessage),
        BadHello(name: "giant frames", hello: .with { $0.versionMin = 1; $0.versionMax = 1; $0.limits.maxFramePayload = 1 << 24 }, code: .badMessage),
        BadHello(name: "tiny messages", hello: .with { $0.versionMin = 1; $0.versionMax = 1; $0.limits.maxMessage = 1_048_575 }, code: .badMessage),
    ]

    @Test(arguments: badHellos)
    func badHelloCloses(_ example: BadHello) throws {
        var car = LinkMachine.car()
        car.receive(message(.control, MessageType.hello, try example.hello.serializedBytes()), now: start)
        let closure = try #require(car.takeEvents().closure)
        #expect(closure.code == example.code, "\(example.name)")
        #expect(closure.initiator == .local)
        #expect(closure.evidence.first?.kind == .violation)
        let out = frames(car.drain())
        #expect(out.map(\.header.type) == [.close])
    }

    @Test func badWelcomeCloses() throws {
        func closure(_ welcome: Welcome) throws -> LinkClosure? {
            var phone = LinkMachine.phone()
            phone.receive(message(.control, MessageType.welcome, try welcome.serializedBytes()), now: start)
            return phone.takeEvents().closure
        }
        func valid(_ change: (inout Welcome) -> Void) -> Welcome { .test(channels: [1, 16]) { $0.version = 1; change(&$0) } }
        #expect(try closure(valid { _ in }) == nil)
        #expect(try closure(valid { $0.version = 2 })?.code == .versionUnsupported)
        #expect(try closure(valid { $0.channels = [16, 17] })?.code == .badMessage)
        #expect(try closure(valid { $0.sessionID = .init([1]) })?.code == .badMessage)
        #expect(try closure(valid { $0.resumeToken = .init() })?.code == .badMessage)
        #expect(try closure(valid { $0.screens = [] })?.code == .badMessage)
        #expect(try closure(valid { $0.screens[0].channel = 1 })?.code == .badMessage)
        #expect(try closure(valid { $0.screens[0].channel = 17 })?.code == .badMessage)
        #expect(try closure(valid { $0.screens[0].width = 0 })?.code == .badMessage)
        #expect(try closure(valid { $0.screens[0].height = 16_385 })?.code == .badMessage)
        #expect(try closure(valid { $0.screens[0].scale = .nan })?.code == .badMessage)
        var phone = LinkMachine.phone()
        phone.receive(message(.control, MessageType.welcome, [0xFF, 0xFF]), now: start)
        #expect(phone.takeEvents().closure?.code == .badMessage)
    }

    @Test func livenessIsClampedTheSameWay() {
        func clamped(_ probe: UInt32, _ suspect: UInt32, _ dead: UInt32, _ grace: UInt32) -> [UInt32] {
            let message = LinkTiming(
                clamping: Liveness.with { $0.probeIntervalMs = probe; $0.suspectAfterMs = suspect; $0.deadAfterMs = dead; $0.graceMs = grace }
            ).message
            return [message.probeIntervalMs, message.suspectAfterMs, message.deadAfterMs, message.graceMs]
        }
        #expect(clamped(0, 0, 0, 0) == [100, 300, 1_500, 10_000])
        #expect(clamped(1, 1, 1, 1) == [10, 20, 30, 1])
        #expect(clamped(.max, .max, .max, .max) == [10_000, 60_000, 120_000, 600_000])
        #expect(clamped(5_000, 300, 1_500, 0) == [5_000, 10_000, 15_000, 10_000])
    }

    @Test func largerFramesAreUsedWhenAllowed() {
        let pair = openPair(
            hello: .with { $0.limits.maxFramePayload = 2_000 },
            welcome: .test { $0.limits.maxFramePayload = 100_000 })
        var (phone, car) = pair
        #expect(phone.send(channel: 16, type: MessageType.commit, body: [UInt8](repeating: 1, count: 60_000), now: start) == .queued)
        let big = phone.drain()
        #expect(frames(big).filter(\.header.isMessage).map(\.header.length) == [60_002])
        car.receive(big, now: start)
        #expect(car.takeEvents().names == ["display 0 Commit 60000"])
        #expect(car.send(channel: 1, type: MessageType.touch, body: [UInt8](repeating: 1, count: 3_000), now: start) == .queued)
        #expect(frames(car.drain()).filter { $0.header.type == .message }.map(\.header.length) == [2_000, 1_002])
    }

    @Test func longNamesAreCut() throws {
        var phone = LinkMachine.phone(.with { $0.name = String(repeating: "é", count: 100) })
        var car = LinkMachine.car()
        car.receive(phone.drain(), now: start)
        guard case .helloReceived(let hello) = try #require(car.takeEvents().first) else { return }
        #expect(hello.name.utf8.count == 64)
    }
}
