import FasciaLink
import FasciaPairing
import FasciaTLS
import FasciaWire
import Glibc
import NIOCore

/// Drives a link machine behind ``TLSHandler``: bytes in, bytes out as long as the socket takes them, one timer at the
/// machine's next deadline.
final class LinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long the goodbye may take before the socket is closed anyway.
    static let closingTime = TimeAmount.milliseconds(500)

    private enum Stage {
        case securing
        /// The first flight left with early data; nothing more may be written before TLS is up.
        case offering(LinkCore)
        /// The handler takes the events.
        case negotiating(LinkCore)
        /// Someone else takes the events.
        case delivered(LinkCore)
        case closing(LinkCore?)
    }

    private let engine: TLSEngine
    private var owner: (any LinkOwner)?
    private var stage = Stage.securing
    private var context: ChannelHandlerContext?
    private let loop: any EventLoop
    private var timer: (at: LinkInstant, task: Scheduled<Void>)?
    private var failure: CarrierError?
    /// Set while a CLOSE waits for room in the socket: until when, from the moment it was due.
    private var farewell: (deadline: NIODeadline, task: Scheduled<Void>)?

    init(_ engine: TLSEngine, owner: any LinkOwner, loop: any EventLoop) {
        self.engine = engine
        self.loop = loop
        self.owner = owner
    }

    private var core: LinkCore? {
        switch stage {
        case .securing: nil
        case .offering(let core), .negotiating(let core), .delivered(let core): core
        case .closing(let core): core
        }
    }

    // MARK: - Channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    /// The timer stays: a cut connection whose socket is gone finds its end by time, as it would with the cable cut.
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let tls as TLSEstablished: secured(tls, context)
        case let early as TLSEarlyDataPossible: offer(early.limit, context)
        case is TLSCloseReceived: transportEnded(.fin)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard let core else { return }
        core.receive(bytes)
        machineChanged()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { machineChanged() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if failure == nil { failure = CarrierError.connection(error) }
        switch error {
        case let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE: transportEnded(.reset)
        case let error as IOError where error.errnoCode == ETIMEDOUT: transportEnded(.timeout)
        default: transportEnded(.error("\(error)"))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        transportEnded(.fin)
        let owner = owner
        self.owner = nil
        owner?.ended()
    }

    // MARK: - Machine

    private func offer(_ limit: Int, _ context: ChannelHandlerContext) {
        if let bytes = flight(upTo: limit) { context.write(wrapOutboundOut(bytes), promise: nil) }
    }

    /// What goes with early data; nothing more is written before TLS is up.
    func flight(upTo limit: Int) -> ByteBuffer? {
        guard let setup = owner?.setup() else { return nil }
        let core = LinkCore(setup.machine(), handler: self, loop: loop)
        stage = .offering(core)
        return core.transmit(upTo: limit)
    }

    private func secured(_ tls: TLSEstablished, _ context: ChannelHandlerContext) {
        if case .offering(let core) = stage {
            stage = .negotiating(core)
            if owner?.secured(tls) != true { return close() }
            return machineChanged()
        }
        guard owner?.secured(tls) == true, let setup = owner?.setup() else { return close() }
        let core = LinkCore(setup.machine(), handler: self, loop: loop)
        if setup.configuration.mode == .pairing {
            guard let exporter = engine.export(label: PairingBinding.exporterLabel, length: PairingBinding.exporterLength) else { return close() }
            stage = .delivered(core)
            owner?.pairing(on: core, exporter: exporter)
        } else {
            stage = .negotiating(core)
        }
        machineChanged()
    }

    /// To be called after anything that changed the machine.
    func machineChanged() {
        guard let core else { return }
        if case .negotiating(let core) = stage { negotiate(core) }
        transmit(core)
        if case .closing = stage { return }
        if core.inspect({ $0.isClosed }) { finish(core) } else { schedule(core) }
    }

    private func negotiate(_ core: LinkCore) {
        while case .negotiating = stage {
            let (next, isTaken) = core.nextNegotiationEvent()
            if isTaken {
                limitTransport(core)
                stage = .delivered(core)
                owner?.taken()
            }
            guard let event = next else { return }
            switch event {
            case .helloReceived(let hello):
                owner?.helloReceived(hello, on: core)
            case .established(let welcome):
                limitTransport(core)
                stage = .delivered(core)
                owner?.established(welcome, on: core)
            case .closed(let closure):
                fail(failure ?? .closed(closure))
            case .message, .late, .suspected, .recovered:
                break // none comes before `established`
            }
        }
    }

    private func limitTransport(_ core: LinkCore) {
        guard let context, let timing = core.inspect({ $0.timing }) else { return }
        TransportOptions.limit(context.channel, deadAfter: timing.deadAfter)
    }

    private func transmit(_ core: LinkCore) {
        guard let context else { return }
        if isOffering { return }
        while context.channel.isWritable, let bytes = core.transmit() {
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        }
    }

    private func schedule(_ core: LinkCore) {
        guard let deadline = core.inspect({ $0.nextDeadline }) else { return }
        if let timer {
            if timer.at <= deadline { return } // fires early, which is harmless, and then looks again
            timer.task.cancel()
        }
        let handler = NIOLoopBound(self, eventLoop: loop)
        timer = (deadline, loop.scheduleTask(deadline: .uptimeNanoseconds(deadline)) { handler.value.deadlineReached() })
    }

    private func deadlineReached() {
        timer = nil
        guard let core else { return }
        core.deadlineReached()
        machineChanged()
    }

    // MARK: - End

    private func transportEnded(_ end: TransportEnd) {
        if isOffering {
            fail(failure ?? CarrierError(.connectionLost, .network, "the connection ended before TLS was set up"))
            close()
        } else if let core {
            core.transportEnded(end)
            machineChanged()
        } else if case .securing = stage {
            fail(failure ?? CarrierError(.connectionLost, .network, "the connection ended before TLS was set up"))
            close()
        }
    }

    private func fail(_ error: CarrierError) {
        switch stage {
        case .securing, .offering, .negotiating: owner?.failed(error)
        case .delivered, .closing: break
        }
    }

    /// The machine is closed and gives nothing new any more. What it gave in the meantime, from another thread, goes out first: its CLOSE.
    private func finish(_ core: LinkCore) {
        transmit(core)
        guard context != nil, core.inspect({ $0.closure?.initiator == .local && $0.wantsTransmit }), !isOffering else { return close() }
        // The socket takes nothing at the moment: channelWritabilityChanged goes on, or it is too late.
        guard farewell == nil else { return }
        let handler = NIOLoopBound(self, eventLoop: loop)
        let deadline = loop.now + Self.closingTime
        farewell = (deadline, loop.scheduleTask(deadline: deadline) { handler.value.close() })
    }

    private var isOffering: Bool { if case .offering = stage { true } else { false } }

    /// The last bytes are written: end the sending direction, so that the peer reads them before the socket goes.
    private func close() {
        if case .closing = stage { return }
        stage = .closing(core)
        farewell?.task.cancel()
        timer?.task.cancel()
        timer = nil
        let core = core
        guard let context else {
            core?.transportEnded()
            return
        }
        context.close(mode: .output, promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(deadline: farewell?.deadline ?? loop.now + Self.closingTime) {
            bound.value.close(promise: nil)
            core?.transportEnded() // a cut connection keeps its socket
        }
        context.channel.closeFuture.whenComplete { _ in
            task.cancel()
            core?.transportEnded()
        }
    }

    func cut() {
        if let context { CutHandler.cut(context.channel) }
    }
}
