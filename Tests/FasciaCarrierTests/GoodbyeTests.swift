import FasciaLink
import FasciaWire
import NIOCore
import NIOEmbedded
import Testing

@testable import FasciaCarrier
@testable import FasciaTLS

/// Who ends a connection says so first (spec/link.md 8.8), whatever state the socket is in and whichever thread ends it.
struct GoodbyeTests {
    @Test func aCloseWaitsForRoomInTheSocket() throws {
        let car = try Car()
        car.channel.isWritable = false
        try car.end(.badMessage)
        #expect(car.channel.isActive && car.closure == nil)

        car.channel.isWritable = true
        car.channel.pipeline.fireChannelWritabilityChanged()
        try car.carry()
        #expect(car.closure?.code == .badMessage && car.closure?.initiator == .remote)
        #expect(!car.channel.isActive)
    }

    @Test func aCloseWaitsNoLongerThanAGoodbyeMay() throws {
        let car = try Car()
        car.channel.isWritable = false
        try car.end(.goodbye)
        car.channel.embeddedEventLoop.advanceTime(by: LinkHandler.closingTime - .milliseconds(1))
        #expect(car.channel.isActive)
        car.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!car.channel.isActive && car.closure == nil)
    }

    /// A loss is not a goodbye: nothing is owed to a peer that is not there.
    @Test func nothingWaitsForAPeerThatIsGone() throws {
        let car = try Car()
        car.channel.isWritable = false
        car.channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "read"))
        #expect(!car.channel.isActive)
    }

    /// A head unit's link on a channel in memory, without TLS, and the phone's machine at its other end.
    private final class Car: LinkOwner {
        let channel: EmbeddedChannel
        private(set) var closure: LinkClosure?
        private var core: LinkCore?
        private var phone = LinkMachine(configuration: LinkConfiguration(role: .phone(Rig.hello)), now: .current)

        init() throws {
            channel = EmbeddedChannel()
            let identity = try Identity.generate()
            let engine = try TLSEngine(try TLSContext(.server, identity: identity), protocols: [.link]) { _, _ in true }
            try channel.pipeline.syncOperations.addHandler(LinkHandler(engine, owner: self, loop: channel.eventLoop))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            channel.pipeline.fireUserInboundEventTriggered(
                TLSEstablished(peer: identity.fingerprint, applicationProtocol: .link, isResumed: false, earlyData: .none))
            try carry()
            try #require(core != nil && phone.isOpen)
        }

        deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

        func end(_ code: CloseCode) throws {
            core?.close(code, detail: "")
            channel.embeddedEventLoop.run()
            try carry()
        }

        /// What either has to say to the other.
        func carry() throws {
            while true {
                var bytes: [UInt8] = []
                _ = phone.transmit(upTo: .max, into: &bytes, now: .current)
                if !bytes.isEmpty { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
                channel.embeddedEventLoop.run()
                guard let answer = try channel.readOutbound(as: ByteBuffer.self) else { break }
                phone.receive(Array(answer.readableBytesView), now: .current)
            }
            while let event = phone.nextEvent() { if case .closed(let closure) = event { self.closure = closure } }
        }

        func secured(_: TLSEstablished) -> Bool { true }
        func setup() -> LinkSetup? { LinkSetup(configuration: LinkConfiguration(role: .headUnit)) }
        func helloReceived(_: Hello, on core: LinkCore) { core.accept(Rig.welcome) }
        func established(_: Welcome, on core: LinkCore) { self.core = core }
        func pairing(on _: LinkCore, exporter _: [UInt8]) {}
        func failed(_: CarrierError) {}
        func ended() {}
    }
}
