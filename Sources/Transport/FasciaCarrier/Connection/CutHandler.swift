import Glibc
import NIOCore
import NIOPosix

/// A cable that can be cut, nearest to the socket: afterwards nothing passes in either direction, and not even the end of
/// the connection is seen by the peer.
final class CutHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long a cut socket is kept open for the peer to see no FIN; longer than any peer waits for life.
    static let keepsSocket = TimeAmount.seconds(150)

    private var isCut = false

    /// Cuts the connection `channel` belongs to, if it still has its handlers. On its event loop.
    static func cut(_ channel: any Channel) {
        (try? channel.pipeline.syncOperations.handler(type: CutHandler.self))?.isCut = true
    }

    /// Ends the connection with a RST, without a word of TLS before it. On its event loop.
    static func reset(_ channel: any Channel) {
        guard let context = try? channel.pipeline.syncOperations.context(handlerType: CutHandler.self) else { return }
        let bound = NIOLoopBound(context, eventLoop: channel.eventLoop)
        let abort = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        (abort ?? channel.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in bound.value.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isCut { context.fireChannelRead(data) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !isCut { context.fireChannelReadComplete() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isCut { context.fireChannelInactive() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isCut { context.fireErrorCaught(error) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isCut { promise?.succeed() } else { context.write(data, promise: promise) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isCut else { return context.close(mode: mode, promise: promise) }
        promise?.succeed()
        guard mode == .all else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(in: Self.keepsSocket) { bound.value.close(promise: nil) }
        context.channel.closeFuture.whenComplete { _ in task.cancel() }
    }
}
