import FasciaLink
import FasciaTrust
import FasciaWire
import Foundation
import Synchronization
import Testing

@testable import FasciaCarrier

struct SessionTests {
    @Test(arguments: ["127.0.0.1", "::1", "localhost"])
    func pairedPeersTalk(_ host: String) async throws {
        let rig = try await Rig(host: host)
        let (phone, car) = try await rig.connect(expecting: rig.car.fingerprint)
        #expect(phone.remote.name == "Volvo 240")
        #expect(phone.remote.fingerprint == rig.car.fingerprint)
        #expect(car.remote.name == "Ida’s phone")
        #expect(car.hello.name == "Ida’s phone")
        #expect(phone.welcome.screens.first?.width == 800)

        let touch = Array("touch".utf8)
        #expect(car.send(channel: 1, type: MessageType.touch, body: touch) == .queued)
        let received = try #require(await phone.nextMessage())
        #expect(received.channel == 1)
        #expect(received.type == MessageType.touch)
        #expect(received.body == touch)

        let picture = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(phone.send(channel: 16, type: MessageType.resource, body: picture) == .queued)
        let arrived = try #require(await car.nextMessage())
        #expect(arrived.body == picture)
    }

    @Test func phasesComeInOrderWithTheirTimes() async throws {
        let rig = try await Rig()
        let phases = Mutex<[ConnectPhase]>([])
        let session = try await rig.dialer.connect(to: rig.address, hello: Rig.hello) { phase in phases.withLock { $0.append(phase) } }
        #expect(session.remote.name == "Volvo 240")
        let seen = phases.withLock { $0 }
        #expect(seen.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.negotiated, .secured, .tcp])
        #expect(Set(seen.map(\.kind)).count == 3)
    }

    @Test func secondConnectionIsResumedByTicket() async throws {
        let rig = try await Rig()
        let (first, car) = try await rig.connect(expecting: rig.car.fingerprint)
        // Anything from the car brings the tickets with it.
        car.send(channel: 1, type: MessageType.touch, body: [])
        _ = await first.nextMessage()
        first.close(.goodbye, detail: "")
        let isResumed = Mutex(false)
        _ = try await rig.dialer.connect(to: rig.address, expecting: rig.car.fingerprint, hello: Rig.hello) { phase in
            if phase.kind == .secured { isResumed.withLock { $0 = phase.isResumed } }
        }
        #expect(isResumed.withLock { $0 })
        // Forgotten: neither key nor ticket help any more.
        try rig.carTrust.forget(rig.phone.fingerprint)
        let error = await carrierError { try await rig.dialer.connect(to: rig.address, expecting: rig.car.fingerprint, hello: Rig.hello) }
        #expect(error?.code == .notPaired)
        #expect(error?.initiator == .remote)
    }

    @Test func goodbyeNamesItsReasonAtBothEnds() async throws {
        let rig = try await Rig()
        let (phone, car) = try await rig.connect()
        phone.send(channel: 16, type: MessageType.commit, body: [1, 2, 3])
        #expect(await car.nextMessage()?.body == [1, 2, 3])
        phone.close(.shutdown, detail: "the phone is switched off")
        let remote = try #require(await car.closure())
        #expect(remote.code == .shutdown)
        #expect(remote.initiator == .remote)
        #expect(remote.detail == "the phone is switched off")
        #expect(remote.evidence.first?.kind == .goodbye)
        await phone.ended()
        await car.ended()
        let local = try #require(await phone.closure())
        #expect(local.initiator == .local)
        #expect(phone.send(channel: 16, type: MessageType.commit, body: []) == .refused(.closed))
    }

    @Test func headUnitMayRefuseAHello() async throws {
        let rig = try await Rig(onHello: { _, reply in reply.refuse(.busy, detail: "another phone is here") })
        let error = await carrierError { try await rig.dialer.connect(to: rig.address, hello: Rig.hello) }
        #expect(error?.code == .busy)
        #expect(error?.closure?.code == .busy)
        #expect(error?.description.contains("another phone is here") == true)
    }

    @Test func cutIsFoundByProbesAndTheSocketSaysNothing() async throws {
        let rig = try await Rig()
        let fast = Liveness.with { $0.probeIntervalMs = 50; $0.suspectAfterMs = 300; $0.deadAfterMs = 900 }
        let (phone, car) = try await rig.connect(liveness: fast)
        rig.listener.setCut(true)
        for session in [phone, car] {
            var kinds: [String] = []
            for await event in session.events {
                switch event {
                case .suspected(let evidence): kinds.append("suspected \(evidence.kind)")
                case .closed(let closure):
                    kinds.append("closed \(closure.evidence.first?.kind.rawValue ?? "")")
                    #expect(closure.initiator == .transport)
                    #expect(closure.code == .timeout)
                default: break
                }
            }
            #expect(kinds == ["suspected silence", "closed probeTimeout"])
        }
        // While cut, a new connection waits; with the cable back it gets through.
        let (dialer, address) = (rig.dialer, rig.address)
        async let again = dialer.connect(to: address, hello: Rig.hello)
        rig.listener.setCut(false)
        #expect(try await again.remote.name == "Volvo 240")
    }

    @Test func oneSessionCanBeCut() async throws {
        let rig = try await Rig()
        let fast = Liveness.with { $0.probeIntervalMs = 50; $0.suspectAfterMs = 300; $0.deadAfterMs = 900 }
        let (phone, car) = try await rig.connect(liveness: fast)
        phone.simulateCut()
        #expect(await car.closure()?.evidence.first?.kind == .probeTimeout)
        #expect(await phone.closure()?.evidence.first?.kind == .probeTimeout)
        await phone.ended() // though its socket stays open
    }

    @Test func consumerThatDoesNotReadHoldsUpThePeerOnly() async throws {
        let rig = try await Rig()
        let (phone, car) = try await rig.connect(liveness: Liveness.with { $0.suspectAfterMs = 20_000; $0.deadAfterMs = 60_000 })
        // 60 MB in messages longer than a window, whose fragments give credit back as long as none is waiting whole.
        let body = [UInt8](repeating: 7, count: 2_000_000)
        for _ in 0..<30 { #expect(phone.send(channel: 16, type: MessageType.resource, body: body) == .queued) }
        // The head unit reads nothing. Touches come through meanwhile.
        for sequence in UInt8(0)..<100 {
            car.send(channel: 1, type: MessageType.touch, body: [sequence])
            #expect(await phone.nextMessage()?.body == [sequence])
        }
        #expect(phone.statistics.bytesOut < 6_000_000)
        for _ in 0..<30 { #expect(await car.nextMessage()?.body.count == body.count) }
        #expect(phone.statistics.bytesOut > 60_000_000)
    }

    @Test func lastAddressIsNoted() async throws {
        let rig = try await Rig()
        let (phone, _) = try await rig.connect()
        try rig.phoneTrust.update(phone.remote.fingerprint, lastAddress: phone.remote.address.description)
        #expect(rig.phoneTrust.peers.first?.lastAddress == rig.address.description)
    }
}
