import FasciaLink
import FasciaTLS
import FasciaWire
import Glibc
import Synchronization
import Testing

@testable import FasciaCarrier

struct DialRaceTests {
    /// A port of loopback on which nobody listens.
    static func closedPort() throws -> Int { try Silent().port }

    @Test func theAddressThatAnswersIsTaken() async throws {
        let rig = try await Rig()
        let closed = CarrierAddress(host: "127.0.0.1", port: try Self.closedPort())
        for pace in [DialPace.patient, .racing()] {
            let session = try await rig.dialer.connect(to: [closed, rig.address], expecting: rig.car.fingerprint, pace: pace, flight: { FirstFlight(hello: Rig.hello) })
            #expect(session.remote.address == rig.address)
            session.close(.goodbye, detail: "")
        }
    }

    @Test func patienceEndsWithTheLastAddress() async throws {
        let rig = try await Rig()
        let closed = try [CarrierAddress(host: "127.0.0.1", port: Self.closedPort()), CarrierAddress(host: "::1", port: Self.closedPort())]
        let error = await carrierError { try await rig.dialer.connect(to: closed, expecting: rig.car.fingerprint, flight: { FirstFlight(hello: Rig.hello) }) }
        #expect(error?.code == .refused)
        let nowhere = await carrierError { try await rig.dialer.connect(to: [], expecting: rig.car.fingerprint, flight: { FirstFlight(hello: Rig.hello) }) }
        #expect(nowhere?.code == .unreachable)
    }

    /// A head unit that comes up while the phone is racing is found, without anyone telling.
    @Test func racingFindsAHeadUnitThatComesLater() async throws {
        let rig = try await Rig()
        let listener = try LinkListener(identity: rig.car, trust: rig.carTrust, pairing: nil, log: Rig.log)
        let silent = try Silent()
        let port = silent.port
        let address = CarrierAddress(host: "127.0.0.1", port: port)
        silent.close()
        async let session = rig.dialer.connect(to: [address], expecting: rig.car.fingerprint, pace: .racing(every: .milliseconds(2)), flight: { FirstFlight(hello: Rig.hello) })
        let serving = Task {
            for await event in listener.events {
                if case .helloReceived(_, _, let reply) = event { reply.accept(Rig.welcome) }
            }
        }
        _ = try await listener.start(host: "127.0.0.1", port: port)
        #expect(try await session.remote.address == address)
        listener.stop()
        await serving.value
    }

    /// One that takes connections and says nothing is not waited for.
    @Test func aSilentAddressDoesNotHoldUpTheOther() async throws {
        let rig = try await Rig()
        let silent = try Silent(listens: true)
        let calls = Mutex(0)
        let session = try await rig.dialer.connect(
            to: [CarrierAddress(host: "127.0.0.1", port: silent.port), rig.address], expecting: rig.car.fingerprint, pace: .racing(every: .milliseconds(5)),
            flight: {
                calls.withLock { $0 += 1 }
                return FirstFlight(hello: Rig.hello)
            })
        #expect(session.remote.address == rig.address)
        #expect(calls.withLock { $0 } >= 1)
    }

    @Test func anAnswerEndsTheRace() async throws {
        let rig = try await Rig(onHello: { _, reply in reply.refuse(.busy, detail: "another phone is here") })
        let error = await carrierError { try await rig.dialer.connect(to: [rig.address], expecting: rig.car.fingerprint, pace: .racing(), flight: { FirstFlight(hello: Rig.hello) }) }
        #expect(error?.code == .busy)
        try rig.carTrust.forget(rig.phone.fingerprint)
        let refused = await carrierError { try await rig.dialer.connect(to: [rig.address], expecting: rig.car.fingerprint, pace: .racing(), flight: { FirstFlight(hello: Rig.hello) }) }
        #expect(refused?.code == .notPaired)
    }

    @Test func aCancelledRaceLeavesNothingBehind() async throws {
        let rig = try await Rig()
        let silent = try Silent(listens: true)
        let address = CarrierAddress(host: "127.0.0.1", port: silent.port)
        let (tries, tried) = AsyncStream<Void>.makeStream()
        let task = Task { () -> CarrierError? in
            await carrierError {
                try await rig.dialer.connect(to: [address], pace: .racing(every: .milliseconds(1)), flight: { FirstFlight(hello: Rig.hello) }) { _ in tried.yield() }
            }
        }
        for await _ in tries { break }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }
}

/// A TCP port that is taken and, if it listens at all, never accepts.
final class Silent: Sendable {
    private let descriptor: Int32
    private let isClosed = Mutex(false)
    let port: Int

    init(listens: Bool = false) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in(sin_family: sa_family_t(AF_INET), sin_port: 0, sin_addr: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &length) == 0 && (!listens || listen(descriptor, 64) == 0)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        try #require(isBound)
    }

    func close() {
        isClosed.withLock { isClosed in
            if !isClosed { _ = Glibc.close(descriptor) }
            isClosed = true
        }
    }

    deinit { close() }
}
