import NIOCore

/// First in the pipeline: tells that the TCP connection stands before anything is read from or written to it. The future of
/// connecting may complete on another event loop, after the handshake.
final class ActiveNotice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    private let told: () -> Void

    init(_ told: @escaping () -> Void) { self.told = told }

    func channelActive(context: ChannelHandlerContext) {
        told()
        context.fireChannelActive()
    }
}
