import NIOCore
import NIOEmbedded
import Testing

@testable import FasciaTLS

struct HandlerTests {
    /// The socket is still read for the time a goodbye may take, and a peer that floods it then must not fill memory.
    @Test func whatComesAfterTheGoodbyeIsDropped() throws {
        let pair = try TLSPair(try TLSPair.Ends())
        let channel = EmbeddedChannel(handler: TLSHandler(pair.server))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        while pair.client.handshake() == .incomplete {
            while let bytes = pair.client.takeOutbound() { try channel.writeInbound(bytes) }
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { pair.client.receive(bytes) }
        }
        while let bytes = pair.client.takeOutbound() { try channel.writeInbound(bytes) }
        func flood() throws {
            #expect(pair.client.write(ByteBuffer(repeating: 7, count: 65_536)) == nil)
            while let bytes = pair.client.takeOutbound() { try channel.writeInbound(bytes) }
        }
        try flood()
        #expect(try channel.readInbound(as: ByteBuffer.self)?.readableBytes == 65_536)

        try? channel.close(mode: .output).wait() // a channel in memory has no directions; the handler has
        for _ in 0..<100 { try flood() }
        #expect(pair.server.unreadBytes == 0)
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
    }
}
