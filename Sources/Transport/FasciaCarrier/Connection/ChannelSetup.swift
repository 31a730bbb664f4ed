import FasciaTLS
import Glibc
import NIOCore
import NIOPosix

/// How every connection's socket and pipeline are made.
enum ChannelSetup {
    /// Unsent bytes in the kernel: more would only keep a touch waiting behind pictures.
    static let unsentLimit: Int = 131_072

    /// Cable, TLS, link. On the channel's event loop.
    static func install(on channel: any Channel, engine: TLSEngine, owner: any LinkOwner, handshakeTimeout: TimeAmount) throws {
        try install(on: channel, TLSHandler(engine, handshakeTimeout: handshakeTimeout), LinkHandler(engine, owner: owner, loop: channel.eventLoop))
    }

    static func install(on channel: any Channel, _ tls: TLSHandler, _ link: LinkHandler) throws {
        let pipeline = channel.pipeline.syncOperations
        // From the end: on a channel that is active TLS begins as soon as it is there, and asks the link for early data.
        try pipeline.addHandler(link)
        try pipeline.addHandlers([CutHandler(), tls], position: .before(link))
    }

    /// - Parameter fastOpen: TCP Fast Open (RFC 7413), where the kernel knows the peer's cookie.
    static func client(_ bootstrap: ClientBootstrap, fastOpen: Bool = false) -> ClientBootstrap {
        (fastOpen && isFastOpenKnown ? bootstrap.channelOption(TransportOptions.fastOpenConnect, value: 1) : bootstrap)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(TransportOptions.notSentLowWater, value: unsentLimit)
    }

    /// The same for a socket that is no channel yet.
    static func setClientOptions(_ descriptor: Int32) {
        func set(_ option: Int32, _ value: Int32) {
            var value = value
            _ = setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        set(TCP_NODELAY, 1)
        set(25, Int32(unsentLimit)) // TCP_NOTSENT_LOWAT
        if isFastOpenKnown { set(30, 1) } // TCP_FASTOPEN_CONNECT
    }

    /// Whether this kernel lets a client ask for TCP Fast Open. An option it does not know would fail the connection.
    static let isFastOpenKnown: Bool = accepts(30)
    /// Whether it lets a server offer it; it is not used unless net.ipv4.tcp_fastopen says so.
    private static let isFastOpenServed: Bool = accepts(23)

    private static func accepts(_ option: Int32) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var one: Int32 = 1
        return setsockopt(descriptor, Int32(IPPROTO_TCP), option, &one, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    static func server(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        (isFastOpenServed ? bootstrap.serverChannelOption(TransportOptions.fastOpen, value: 16) : bootstrap)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(TransportOptions.notSentLowWater, value: unsentLimit)
    }
}
