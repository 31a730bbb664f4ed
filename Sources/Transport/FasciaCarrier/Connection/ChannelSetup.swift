import FasciaTLS
import NIOCore
import NIOPosix

/// How every connection's socket and pipeline are made.
enum ChannelSetup {
    /// Unsent bytes in the kernel: more would only keep a touch waiting behind pictures.
    static let unsentLimit: Int = 131_072

    private static let notSentLowWater = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 25)) // TCP_NOTSENT_LOWAT

    /// Cable, TLS, link. On the channel's event loop.
    static func install(on channel: any Channel, engine: TLSEngine, owner: any LinkOwner, handshakeTimeout: TimeAmount) throws {
        let link = LinkHandler(engine, owner: owner, loop: channel.eventLoop)
        let pipeline = channel.pipeline.syncOperations
        // From the end: on a channel that is active TLS begins as soon as it is there, and asks the link for early data.
        try pipeline.addHandler(link)
        try pipeline.addHandlers([CutHandler(), TLSHandler(engine, handshakeTimeout: handshakeTimeout)], position: .before(link))
    }

    static func client(_ bootstrap: ClientBootstrap) -> ClientBootstrap {
        bootstrap
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(notSentLowWater, value: unsentLimit)
    }

    static func server(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        bootstrap
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(notSentLowWater, value: unsentLimit)
    }
}
