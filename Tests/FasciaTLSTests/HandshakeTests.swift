import NIOCore
import Testing

@testable import FasciaTLS

struct HandshakeTests {
    let ends: TLSPair.Ends
    init() throws { ends = try TLSPair.Ends() }

    @Test(arguments: [Int.max, 100, 1])
    func pinnedPeersConnectWhateverTheChunks(_ chunk: Int) throws {
        let pair = try TLSPair(ends)
        let steps = pair.handshake(chunk: chunk)
        #expect(steps.client == .complete)
        #expect(steps.server == .complete)
        #expect(pair.client.peer == ends.serverIdentity.fingerprint)
        #expect(pair.server.peer == ends.clientIdentity.fingerprint)
        #expect(pair.client.agreedProtocol == .link)
        #expect(pair.server.agreedProtocol == .link)
        #expect(!pair.client.isResumed)
        #expect(pair.carry("to the car", from: pair.client, to: pair.server) == ("to the car", .incomplete))
        #expect(pair.carry("to the phone", from: pair.server, to: pair.client) == ("to the phone", .incomplete))
    }

    @Test func largeMessagesArriveWhole() throws {
        let pair = try TLSPair(ends)
        pair.handshake()
        let text = String(repeating: "0123456789abcdef", count: 20_000)
        #expect(pair.carry(text, from: pair.client, to: pair.server) == (text, .incomplete))
    }

    @Test func exportersAreEqualAndBoundToTheConnection() throws {
        let one = try TLSPair(ends)
        let other = try TLSPair(ends)
        #expect(one.client.export(label: "EXPORTER-fascia-pairing", length: 32) == nil)
        one.handshake()
        other.handshake()
        let value = one.client.export(label: "EXPORTER-fascia-pairing", length: 32)
        #expect(value?.count == 32)
        #expect(one.server.export(label: "EXPORTER-fascia-pairing", length: 32) == value)
        #expect(one.server.export(label: "EXPORTER-another", length: 32) != value)
        #expect(other.server.export(label: "EXPORTER-fascia-pairing", length: 32) != value)
    }

    @Test func serverRefusesAnUnpinnedClient() throws {
        let pair = try TLSPair(ends, serverTrusts: false)
        let steps = pair.handshake()
        guard case .failed(let error) = steps.server else { Issue.record("accepted"); return }
        #expect(error.code == .untrustedPeer)
        #expect(error.peer == ends.clientIdentity.fingerprint)
        // In TLS 1.3 the client is done before the server sees its certificate: it learns of it when it reads.
        var plain = ByteBuffer()
        #expect(code(pair.client.read(into: &plain)) == .refusedByPeer)
    }

    @Test func clientRefusesAnUnpinnedServer() throws {
        let steps = try TLSPair(ends, clientTrusts: false).handshake()
        #expect(code(steps.client) == .untrustedPeer)
        #expect(code(steps.server) == .refusedByPeer)
    }

    @Test func pairingNeedsNoPinAndGivesNoTicket() throws {
        let pair = try TLSPair(ends, client: [.pairing], clientTrusts: false, serverTrusts: false)
        let steps = pair.handshake()
        #expect(steps.client == .complete)
        #expect(steps.server == .complete)
        #expect(pair.server.agreedProtocol == .pairing)
        #expect(pair.carry("x", from: pair.server, to: pair.client).0 == "x")
        #expect(ends.clientContext.tickets.count(for: ends.serverIdentity.fingerprint) == 0)
    }

    @Test func withoutACommonProtocolThereIsNoConnection() throws {
        let steps = try TLSPair(ends, client: [.pairing], server: [.link]).handshake()
        #expect(code(steps.server) == .applicationProtocol)
        #expect(code(steps.client) == .applicationProtocol)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "\u{0}\u{0}\u{0}", "SSH-2.0-x\r\n"])
    func otherProtocolsAreNamedAsSuch(_ text: String) throws {
        let server = try TLSPair(ends).server
        server.receive(ByteBuffer(string: text))
        #expect(code(server.handshake()) == .notTLS)
    }

    @Test func garbageInARecordIsAProtocolViolation() throws {
        let server = try TLSPair(ends).server
        server.receive(ByteBuffer(bytes: [22, 3, 1, 0, 4, 9, 9, 9, 9]))
        #expect(code(server.handshake()) == .protocolViolation)
    }

    @Test func alteredDataEndsTheConnection() throws {
        let pair = try TLSPair(ends)
        pair.handshake()
        _ = pair.client.write(ByteBuffer(string: "hello"))
        var bytes = try #require(pair.client.takeOutbound())
        bytes.setInteger(bytes.getInteger(at: bytes.writerIndex - 1, as: UInt8.self)! ^ 1, at: bytes.writerIndex - 1)
        pair.server.receive(bytes)
        var plain = ByteBuffer()
        #expect(code(pair.server.read(into: &plain)) == .protocolViolation)
        #expect(plain.readableBytes == 0)
        #expect(pair.server.write(ByteBuffer(string: "x"))?.code == .protocolViolation) // stays failed
    }

    @Test func closeNotifyIsSeen() throws {
        let pair = try TLSPair(ends)
        pair.handshake()
        pair.client.shutdown()
        pair.server.receive(try #require(pair.client.takeOutbound()))
        var plain = ByteBuffer()
        #expect(pair.server.read(into: &plain) == .closed)
    }

    @Test func anEndBeforeTheHandshakeSaysHowFarItCame() throws {
        let silent = try TLSPair(ends).server
        #expect(silent.transportEnded()?.code == .closedDuringHandshake)
        #expect(silent.transportEnded()?.detail.contains("without sending anything") == true)
        let pair = try TLSPair(ends)
        _ = pair.client.handshake()
        pair.server.receive(try #require(pair.client.takeOutbound()))
        _ = pair.server.handshake()
        #expect(pair.server.transportEnded()?.detail.contains("middle") == true)
    }
}
