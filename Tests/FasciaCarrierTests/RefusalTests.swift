import FasciaTLS
import FasciaTrust
import FasciaWire
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import FasciaCarrier

/// Peers that are not what they should be, and places where nobody is.
struct RefusalTests {
    @Test func unpairedPhoneIsRefusedByTheHeadUnit() async throws {
        let rig = try await Rig()
        try rig.carTrust.forget(rig.phone.fingerprint)
        let error = await carrierError { try await rig.dialer.connect(to: rig.address, hello: Rig.hello) }
        #expect(error?.code == .notPaired)
        #expect(error?.initiator == .remote)
        #expect(error?.description.contains("pair again") == true)
        let seen = await rig.events.rejection()
        #expect(seen?.code == .notPaired)
        #expect((seen?.cause as? TLSError)?.peer == rig.phone.fingerprint)
    }

    @Test func strangeHeadUnitIsRefusedByThePhone() async throws {
        let rig = try await Rig()
        try rig.phoneTrust.forget(rig.car.fingerprint)
        let error = await carrierError { try await rig.dialer.connect(to: rig.address, hello: Rig.hello) }
        #expect(error?.code == .notPaired)
        #expect(error?.initiator == .local)
        let unknown = await carrierError { try await rig.dialer.connect(to: rig.address, expecting: rig.car.fingerprint, hello: Rig.hello) }
        #expect(unknown?.description.contains("fascia-phone pair") == true)
    }

    @Test func anotherPairedHeadUnitIsNotTheExpectedOne() async throws {
        let rig = try await Rig()
        let other = try Identity.generate().fingerprint
        try rig.phoneTrust.add(TrustedPeer(name: "Saab", fingerprint: other, pairedAt: 0))
        let error = await carrierError { try await rig.dialer.connect(to: rig.address, expecting: other, hello: Rig.hello) }
        #expect(error?.code == .notPaired)
    }

    @Test(arguments: ["GET / HTTP/1.0\r\n\r\n", "\u{1}\u{2}\u{3}"])
    func clientWithoutTLSIsNamedAndDropped(_ text: String) async throws {
        let rig = try await Rig()
        let client = try await RawClient(rig.address)
        client.send(text)
        await client.closed()
        let error = await rig.events.rejection()
        #expect(error?.code == .notFascia)
        #expect((error?.cause as? TLSError)?.code == .notTLS)
    }

    @Test func clientThatSaysNothingIsDroppedInTime() async throws {
        let rig = try await Rig(handshakeTimeout: 50)
        let client = try await RawClient(rig.address)
        await client.closed()
        #expect(await rig.events.rejection()?.code == .handshakeTimeout)
    }

    @Test func clientThatLeavesWithoutAWordIsNoted() async throws {
        let rig = try await Rig()
        let client = try await RawClient(rig.address)
        client.close()
        let error = await rig.events.rejection()
        #expect(error?.code == .connectionLost)
        #expect(error?.description.contains("without sending anything") == true)
    }

    @Test func manySilentClientsDoNotKeepOthersOut() async throws {
        let rig = try await Rig()
        var clients: [RawClient] = []
        for _ in 0..<(LinkListener.maximumHalfOpen + 8) { clients.append(try await RawClient(rig.address)) }
        let (phone, _) = try await rig.connect()
        #expect(phone.remote.name == "Volvo 240")
        for client in clients[..<8] { await client.closed() } // the oldest had to go
        for client in clients { client.close() }
    }

    /// A paired phone gone bad opens connections, says Hello and waits.
    @Test func aPhoneHasFewConnectionsUndecided() async throws {
        let rig = try await Rig(onHello: { _, _ in }) // never answers
        let (dialer, address) = (rig.dialer, rig.address)
        let dials = (0..<LinkListener.maximumUndecided).map { _ in Task { await carrierError { try await dialer.connect(to: address, hello: Rig.hello) } } }
        for _ in dials { _ = await rig.events.first { if case .helloReceived = $0 { true } else { nil } } }
        let last = Task { await carrierError { try await dialer.connect(to: address, hello: Rig.hello) } }
        #expect(await rig.events.rejection()?.code == .connectionLost) // the oldest had to go
        await withTaskGroup(of: CarrierError?.self) { group in
            for dial in dials + [last] { group.addTask { await dial.value } }
            #expect(await group.next()??.code == .connectionLost) // and hears of it
            for dial in dials + [last] { dial.cancel() }
            for await outcome in group { #expect(outcome?.code == .cancelled) }
        }
    }

    @Test func nobodyListening() async throws {
        let rig = try await Rig()
        let free = try await RawClient.freePort()
        let error = await carrierError { try await rig.dialer.connect(to: CarrierAddress(host: "127.0.0.1", port: free), hello: Rig.hello) }
        #expect(error?.code == .refused)
        #expect(error?.description.contains("127.0.0.1:\(free)") == true)
    }

    @Test func portInUseNamesPortAndRemedy() async throws {
        let rig = try await Rig()
        let second = try LinkListener(identity: rig.car, trust: rig.carTrust, pairing: nil, log: Rig.log)
        let error = await carrierError { try await second.start(host: "127.0.0.1", port: rig.address.port) }
        #expect(error?.code == .portInUse)
        #expect(error?.description.contains("port \(rig.address.port) is in use") == true)
        #expect(error?.description.contains("--listen") == true)
    }

    @Test func foreignAddressCannotBeListenedAt() async throws {
        let rig = try await Rig()
        let second = try LinkListener(identity: rig.car, trust: rig.carTrust, pairing: nil, log: Rig.log)
        #expect(await carrierError { try await second.start(host: "192.0.2.1", port: 0) }?.code == .addressUnavailable)
    }

    @Test func cancelledConnectEndsAtOnce() async throws {
        let rig = try await Rig(onHello: { _, _ in }) // never answers
        let (dialer, address) = (rig.dialer, rig.address)
        let task = Task { await carrierError { try await dialer.connect(to: address, hello: Rig.hello) } }
        _ = await rig.events.first { if case .helloReceived = $0 { true } else { nil } }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }

    @Test func addressesAreReadAndWritten() {
        for text in ["car.local:7000", "127.0.0.1:1", "[::1]:65535", "[fe80::1%eth0]:80"] { #expect(CarrierAddress(text)?.description == text) }
        for text in ["", "car", ":1", "car:", "car:65536", "::1:80", "car:x"] { #expect(CarrierAddress(text) == nil) }
    }
}

/// A TCP client that speaks no TLS.
final class RawClient: Sendable {
    private let channel: any Channel

    init(_ address: CarrierAddress) async throws {
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: address.host, port: address.port).get()
    }

    func send(_ text: String) { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }
    func close() { channel.close(promise: nil) }
    func closed() async { try? await channel.closeFuture.get() }

    /// A port nobody listens at: one that was free a moment ago.
    static func freePort() async throws -> Int {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        try await server.close()
        return port
    }
}
