import NIOCore

/// Fired into the pipeline when the handshake is done; what is written while it is handled leaves in the same flight.
public struct TLSEstablished: Sendable, Equatable {
    /// The key the peer has proved to hold.
    public let peer: Fingerprint
    public let applicationProtocol: ApplicationProtocol
    /// A ticket spared the certificates.
    public let isResumed: Bool
    /// What became of data that was sent before the handshake was done.
    public let earlyData: TLSEarlyData
}

/// Fired before the handshake when a client's ticket allows early data: what is written while it is handled leaves with the first
/// packet. A server that does not take it gets it after the handshake, without the handlers having a part in that.
public struct TLSEarlyDataPossible: Sendable, Equatable {
    /// Most bytes to write.
    public let limit: Int
}

/// What became of data that a client sent before the handshake was done (RFC 8446, 2.3).
public enum TLSEarlyData: String, Hashable, Sendable {
    /// There was none.
    case none
    case accepted
    /// The server did not take it; it was sent again after the handshake.
    case rejected
}

/// Fired when the peer said that it sends no more (close_notify); the connection ends after it.
public struct TLSCloseReceived: Sendable, Equatable { public init() {} }

/// TLS between a channel and the handlers behind it. Errors arrive as ``TLSError`` in `errorCaught`, then the channel closes.
public final class TLSHandler: ChannelDuplexHandler {
    public typealias InboundIn = ByteBuffer
    public typealias InboundOut = ByteBuffer
    public typealias OutboundIn = ByteBuffer
    public typealias OutboundOut = ByteBuffer

    /// TLS_TIMEOUT (spec 13).
    public static let defaultHandshakeTimeout = TimeAmount.seconds(5)

    private enum State {
        case idle
        /// Client: what is written now leaves with the first packet.
        case offering
        case handshaking(deadline: Scheduled<Void>)
        /// Server: early data is read and answered.
        case early(deadline: Scheduled<Void>)
        case open
        case ended
    }

    public let engine: TLSEngine
    private let handshakeTimeout: TimeAmount
    private var state = State.idle
    private var waiting: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = [] // written before the handshake was done
    private var isPrepared = false
    private var promises: [EventLoopPromise<Void>] = [] // of what is encrypted and not flushed

    public init(_ engine: TLSEngine, handshakeTimeout: TimeAmount = TLSHandler.defaultHandshakeTimeout) {
        self.engine = engine
        self.handshakeTimeout = handshakeTimeout
    }

    public func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) } else { prepare(context) }
    }

    /// A client's first message, before there is a channel: to be sent by the caller.
    /// - Parameter early: what goes with it, given how many bytes may.
    public func prepare(early: (_ limit: Int) -> ByteBuffer?) {
        guard case .idle = state, !isPrepared else { return }
        isPrepared = true
        let limit = engine.earlyDataLimit
        if limit > 0, let bytes = early(limit) { engine.offer(bytes) }
        _ = engine.handshake() // an error comes again
    }

    /// Of the first message, what the caller could not send.
    public var unsent: ByteBuffer?

    public func handlerRemoved(context: ChannelHandlerContext) { end(context, because: ChannelError.ioOnClosedChannel) }

    public func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    public func channelInactive(context: ChannelHandlerContext) {
        if isHandshaking, let error = engine.transportEnded() { context.fireErrorCaught(error) }
        end(context, because: ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .handshaking, .early:
            engine.receive(unwrapInboundIn(data))
            handshake(context)
        case .open:
            engine.receive(unwrapInboundIn(data))
            read(context)
        case .idle, .offering: engine.receive(unwrapInboundIn(data))
        // The socket is read on, so that the peer gets the goodbye and not a reset, but a peer that goes on sending fills nothing.
        case .ended: break
        }
    }

    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        switch state {
        case .idle, .offering, .handshaking: waiting.append((bytes, promise))
        case .early, .open: encrypt(context, bytes, promise)
        case .ended: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    public func flush(context: ChannelHandlerContext) { send(context) }

    public func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if isReading {
            engine.shutdown()
            send(context)
        }
        end(context, because: ChannelError.ioOnClosedChannel)
        context.close(mode: mode, promise: promise)
    }

    // MARK: -

    /// Makes a client's first message before the channel can take it, which may be on its way to become active.
    private func prepare(_ context: ChannelHandlerContext) {
        guard case .idle = state, engine.isClient, !isPrepared else { return }
        isPrepared = true
        offer(context)
        state = .idle
        _ = engine.handshake() // an error comes again
    }

    private func start(_ context: ChannelHandlerContext) {
        guard case .idle = state else { return }
        if !isPrepared { offer(context) }
        if let unsent {
            self.unsent = nil
            context.writeAndFlush(wrapOutboundOut(unsent), promise: nil)
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        state = .handshaking(deadline: context.eventLoop.scheduleTask(in: handshakeTimeout) {
            let (handler, context) = bound.value
            handler.timedOut(context)
        })
        handshake(context)
    }

    private func offer(_ context: ChannelHandlerContext) {
        let limit = engine.earlyDataLimit
        guard limit > 0 else { return }
        state = .offering
        context.fireUserInboundEventTriggered(TLSEarlyDataPossible(limit: limit))
        var bytes = ByteBuffer()
        while let next = waiting.first, bytes.readableBytes + next.bytes.readableBytes <= limit {
            bytes.writeImmutableBuffer(next.bytes)
            if let promise = next.promise { promises.append(promise) }
            waiting.removeFirst()
        }
        engine.offer(bytes)
    }

    private func handshake(_ context: ChannelHandlerContext) {
        switch engine.handshake() {
        case .incomplete:
            send(context)
        case .failed(let error):
            fail(context, error)
        case .early:
            if case .handshaking(let deadline) = state { establish(context, .early(deadline: deadline)) }
            read(context)
            send(context)
        case .complete:
            switch state {
            case .handshaking(let deadline):
                deadline.cancel()
                establish(context, .open)
            case .early(let deadline):
                deadline.cancel()
                state = .open
            case .idle, .offering, .open, .ended: return
            }
            guard case .open = state else { return }
            for (bytes, promise) in waiting { encrypt(context, bytes, promise) }
            waiting = []
            send(context)
            read(context)
        }
    }

    private func establish(_ context: ChannelHandlerContext, _ next: State) {
        guard let peer = engine.peer, let agreed = engine.agreedProtocol else { return }
        state = next
        context.fireUserInboundEventTriggered(
            TLSEstablished(peer: peer, applicationProtocol: agreed, isResumed: engine.isResumed, earlyData: engine.earlyData))
    }

    private var isHandshaking: Bool {
        switch state {
        case .handshaking, .early: true
        case .idle, .offering, .open, .ended: false
        }
    }

    private var isReading: Bool {
        switch state {
        case .open, .early: true
        case .idle, .offering, .handshaking, .ended: false
        }
    }

    private func read(_ context: ChannelHandlerContext) {
        guard isReading else { return }
        var plain = ByteBuffer()
        let outcome = engine.read(into: &plain)
        if plain.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(plain))
            context.fireChannelReadComplete()
        }
        guard isReading else { return }
        switch outcome {
        case .incomplete: send(context) // the answer to a key update, if one was asked for
        case .closed: context.fireUserInboundEventTriggered(TLSCloseReceived())
        case .failed(let error): fail(context, error)
        }
    }

    /// The bytes are passed on by ``read(_:)`` with their end already marked.
    public func channelReadComplete(context: ChannelHandlerContext) {}

    private func encrypt(_ context: ChannelHandlerContext, _ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?) {
        if let error = engine.write(bytes) {
            promise?.fail(error)
            fail(context, error)
        } else if let promise {
            promises.append(promise)
        }
    }

    private func send(_ context: ChannelHandlerContext) {
        guard let bytes = engine.takeOutbound() else { return }
        var promise: EventLoopPromise<Void>?
        for each in promises { promise.setOrCascade(to: each) }
        promises = []
        context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    }

    private func timedOut(_ context: ChannelHandlerContext) {
        guard isHandshaking else { return }
        let milliseconds = handshakeTimeout.nanoseconds / 1_000_000
        fail(context, TLSError(.handshakeTimeout, .remote, "the peer did not finish the TLS handshake within \(milliseconds) ms"))
    }

    private func fail(_ context: ChannelHandlerContext, _ error: TLSError) {
        if case .ended = state { return }
        send(context) // the alert
        end(context, because: error)
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func end(_ context: ChannelHandlerContext, because error: any Error) {
        switch state {
        case .handshaking(let deadline), .early(let deadline): deadline.cancel()
        case .idle, .offering, .open, .ended: break
        }
        state = .ended
        let doomed = waiting.compactMap(\.promise) + promises
        waiting = []
        promises = []
        for promise in doomed { promise.fail(error) }
    }
}
