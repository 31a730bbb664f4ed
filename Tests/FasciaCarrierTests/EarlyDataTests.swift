import FasciaLink
import FasciaTLS
import FasciaWire
import Synchronization
import Testing

@testable import FasciaCarrier

struct EarlyDataTests {
    static let resume = Resume.with { $0.sessionID = .init(repeating: 1, count: 16); $0.token = .init(repeating: 2, count: 32) }
    static let resumed = { var welcome = Rig.welcome; welcome.resumed = Resumed.with { $0.presentedSequence = 3 }; return welcome }()

    static func flight(_ bodies: [[UInt8]], resume: Bool = true) -> FirstFlight {
        var hello = Rig.hello
        if resume { hello.resume = Self.resume }
        return FirstFlight(hello: hello, messages: bodies.map { .init(channel: 16, type: MessageType.commit, body: $0) })
    }

    /// A rig whose phone has tickets.
    func warm(_ welcome: Welcome = resumed) async throws -> Rig {
        let rig = try await Rig(welcome: welcome)
        let (phone, car) = try await rig.connect(expecting: rig.car.fingerprint)
        car.send(channel: 1, type: MessageType.touch, body: [])
        _ = await phone.nextMessage()
        phone.close(.shutdown, detail: "")
        _ = await car.closure()
        return rig
    }

    func connect(_ rig: Rig, _ flight: @escaping @Sendable () -> FirstFlight) async throws -> (phone: LinkSession, car: LinkSession, secured: [ConnectPhase]) {
        let phases = Mutex<[ConnectPhase]>([])
        async let car = rig.events.session()
        let phone = try await rig.dialer.connect(to: [rig.address], expecting: rig.car.fingerprint, flight: flight) { phase in
            if phase.kind == .secured { phases.withLock { $0.append(phase) } }
        }
        return (phone, try #require(await car), phases.withLock { $0 })
    }

    @Test func firstFlightIsThereBeforeTheHandshakeIsDone() async throws {
        let rig = try await warm()
        let calls = Mutex(0)
        let (phone, car, secured) = try await connect(rig) {
            calls.withLock { $0 += 1 }
            return Self.flight([[1], [2]])
        }
        #expect(secured.map(\.earlyData) == [.accepted])
        #expect(calls.withLock { $0 } == 1)
        #expect(phone.speculationCounted && phone.welcome.hasResumed)
        #expect(await car.nextMessage()?.body == [1])
        #expect(await car.nextMessage()?.body == [2])
        phone.send(channel: 16, type: MessageType.commit, body: [3])
        #expect(await car.nextMessage()?.body == [3])
    }

    @Test func aNewSessionIsToldWithoutTheOldOnesMessages() async throws {
        let rig = try await warm(Rig.welcome)
        let (phone, car, secured) = try await connect(rig) { Self.flight([[1], [2]]) }
        #expect(secured.map(\.earlyData) == [.accepted])
        #expect(!phone.speculationCounted && !phone.welcome.hasResumed)
        phone.send(channel: 16, type: MessageType.commit, body: [9])
        #expect(await car.nextMessage()?.body == [9])
    }

    /// What does not fit early data follows after the handshake.
    @Test func aLongFlightArrivesWhole() async throws {
        let rig = try await warm()
        let bodies = (UInt8(1)...6).map { [UInt8](repeating: $0, count: 20_000) }
        let (phone, car, secured) = try await connect(rig) { Self.flight(bodies) }
        #expect(secured.map(\.earlyData) == [.accepted])
        #expect(phone.speculationCounted)
        for body in bodies { #expect(await car.nextMessage()?.body == body) }
    }

    @Test func aRestartedHeadUnitTakesItAfterTheHandshake() async throws {
        let rig = try await warm()
        let listener = try LinkListener(identity: rig.car, trust: rig.carTrust, pairing: nil, log: Rig.log)
        let port = try await listener.start(host: "127.0.0.1", port: 0)
        let events = EventLog()
        let serving = Task {
            for await event in listener.events {
                if case .helloReceived(_, _, let reply) = event { reply.accept(Self.resumed) }
                events.append(event)
            }
        }
        let phases = Mutex<[ConnectPhase]>([])
        async let session = events.session()
        let phone = try await rig.dialer.connect(
            to: [CarrierAddress(host: "127.0.0.1", port: port)], expecting: rig.car.fingerprint, flight: { Self.flight([[5]]) }
        ) { phase in phases.withLock { $0.append(phase) } }
        let car = try #require(await session)
        #expect(phases.withLock { $0 }.first { $0.kind == .secured }.map { [$0.isResumed, $0.earlyData == .rejected] } == [false, true])
        #expect(await car.nextMessage()?.body == [5])
        #expect(phone.speculationCounted)
        listener.stop()
        await serving.value
    }
}
