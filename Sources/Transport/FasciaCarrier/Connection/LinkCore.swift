import FasciaLink
import FasciaWire
import NIOCore
import Synchronization

/// The link machine of one connection, shared by its event loop (bytes, deadlines) and its owner (events, messages).
///
/// The owner takes events from the machine itself: what he has not taken gives no credit to the peer, so that nothing
/// piles up here.
final class LinkCore: Sendable {
    private struct State {
        var machine: LinkMachine
        var waiter: CheckedContinuation<LinkEvent?, Never>?
        var isFinished = false // `.closed` was taken
        var isTaken = false // the session was, without the event loop
        var scratch: [UInt8] = [] // keeps its memory from one transmit to the next
        var sound: SoundConsumer?
        /// Its event loop has the precedence of sound.
        var hasPrecedence = false
        var onLoss: (@Sendable (LinkClosure) -> Void)?
    }

    private let state: Mutex<State>
    private let isWakePending = Atomic(false)
    let loop: any EventLoop
    private let handler: NIOLoopBound<WeakHandler>
    /// Done when the socket is closed, after the last byte that could be sent, or given up.
    private let transportGone: EventLoopPromise<Void>

    /// The handler goes with its channel, the core stays as long as someone reads events.
    private final class WeakHandler {
        weak var handler: LinkHandler?
        init(_ handler: LinkHandler) { self.handler = handler }
    }

    /// On the event loop.
    init(_ machine: LinkMachine, handler: LinkHandler, loop: any EventLoop) {
        state = Mutex(State(machine: machine))
        self.loop = loop
        self.handler = NIOLoopBound(WeakHandler(handler), eventLoop: loop)
        transportGone = loop.makePromise()
    }

    deinit { transportGone.succeed() }

    // MARK: - Event loop

    /// Works on the machine, then hands an event to who waits for one.
    @discardableResult
    func update<Result: Sendable>(_ body: (inout LinkMachine) -> Result) -> Result {
        let (result, waiter, event) = state.withLock { state in
            let result = body(&state.machine)
            let delivery = Self.deliver(&state)
            return (result, delivery?.0, delivery?.1)
        }
        waiter?.resume(returning: event)
        return result
    }

    /// The transport has ended. Who waits for the loss of the connection hears of it before all others.
    func transportEnded(_ end: TransportEnd) {
        state.withLock { $0.machine.transportEnded(end, now: .current) }
        tellLoss()
        update { _ in }
    }

    func deadlineReached() {
        state.withLock { $0.machine.deadlineReached(now: .current) }
        tellLoss()
        update { _ in }
    }

    private func tellLoss() {
        let (hook, closure) = state.withLock { state -> ((@Sendable (LinkClosure) -> Void)?, LinkClosure?) in
            guard let closure = state.machine.closure else { return (nil, nil) }
            defer { state.onLoss = nil }
            return (closure.code.sessionFate == .kept ? state.onLoss : nil, closure)
        }
        if let hook, let closure { hook(closure) }
    }

    /// - Parameter hook: called on the event loop, once, when the connection is lost, not when somebody closes it.
    func onLoss(_ hook: (@Sendable (LinkClosure) -> Void)?) {
        state.withLock { state in state.onLoss = state.machine.isClosed ? nil : hook }
    }

    func receive(_ bytes: ByteBuffer) {
        let arrival = LinkInstant.current
        let (waiter, event, sound) = state.withLock { state in
            bytes.withUnsafeReadableBytes { state.machine.receive($0, now: arrival) }
            let delivery = Self.deliver(&state)
            return (delivery?.0, delivery?.1, state.sound)
        }
        waiter?.resume(returning: event)
        if let sound { deliver(to: sound, arrival) }
    }

    private func deliver(to sound: SoundConsumer, _ arrival: LinkInstant) {
        // Without the lock, so that the consumer may send; its credit goes back when it has consumed.
        while let (message, isFirst) = nextSound() {
            if isFirst { SoundLoop.takePrecedence() }
            sound(message.channel, message.type, message.body, arrival)
        }
    }

    /// The loop's precedence is taken with the first message of sound, and not before: until then the next frame waits for the main actor,
    /// not for this loop.
    private func nextSound() -> (message: (channel: ChannelID, type: UInt16, body: [UInt8]), isFirst: Bool)? {
        state.withLock { state in
            guard let message = state.machine.nextDirectMessage() else { return nil }
            defer { state.hasPrecedence = true }
            return (message, !state.hasPrecedence)
        }
    }

    /// What waits among the events is delivered as well, on the event loop.
    func consumeSound(_ consumer: SoundConsumer?) {
        state.withLock { state in
            state.sound = consumer
            state.machine.deliversSoundDirectly = consumer != nil
        }
        guard consumer != nil else { return }
        loop.execute {
            if let sound = self.state.withLock({ $0.sound }) { self.deliver(to: sound, .current) }
            self.handler.value.handler?.machineChanged() // credit may have come back
        }
    }

    /// Works on the machine without delivering events.
    func inspect<Result: Sendable>(_ body: (inout LinkMachine) -> Result) -> Result {
        state.withLock { body(&$0.machine) }
    }

    /// Most bytes taken from the machine at a time: what has left it cannot be overtaken by a touch.
    static let chunk = 65_536

    /// Bytes to write now; `nil` when there are none.
    func transmit(upTo limit: Int = LinkCore.chunk) -> ByteBuffer? {
        state.withLock { state in
            guard state.machine.wantsTransmit else { return nil }
            if state.scratch.isEmpty { state.scratch = [UInt8](repeating: 0, count: Self.chunk) }
            let count = state.scratch.withUnsafeMutableBytes {
                state.machine.transmit(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<min(limit, Self.chunk)]), now: .current)
            }
            return count > 0 ? ByteBuffer(bytes: state.scratch[..<count]) : nil
        }
    }

    private static func deliver(_ state: inout State) -> (CheckedContinuation<LinkEvent?, Never>, LinkEvent)? {
        guard let waiter = state.waiter, let event = state.machine.nextEvent() else { return nil }
        state.waiter = nil
        if case .closed = event { state.isFinished = true }
        return (waiter, event)
    }

    // MARK: - Any thread

    func send(channel: ChannelID, type: UInt16, body: [UInt8]) -> SendResult {
        let result = state.withLock { $0.machine.send(channel: channel, type: type, body: body, now: .current) }
        if result == .queued { wake() }
        return result
    }

    func sendCapacity(_ channel: ChannelID) -> Int { inspect { $0.sendCapacity(channel) } }

    func queuedBytes(_ channel: ChannelID) -> Int { inspect { $0.queuedBytes(channel) } }

    func accept(_ welcome: Welcome) {
        update { $0.accept(welcome, now: .current) }
        wake()
    }

    /// - Returns: the Welcome in force; `nil` when the connection has ended.
    func take(_ welcome: Welcome) -> Welcome? {
        let inForce = state.withLock { state -> Welcome? in
            state.machine.accept(welcome, now: .current)
            guard state.machine.isOpen, case .established(let inForce) = state.machine.nextEvent() else { return nil }
            state.isTaken = true
            return inForce
        }
        wake()
        return inForce
    }

    /// The next event for the event loop, none once somebody has taken the session.
    func nextNegotiationEvent() -> (event: LinkEvent?, isTaken: Bool) {
        state.withLock { $0.isTaken ? (nil, true) : ($0.machine.nextEvent(), false) }
    }

    /// What has come already, without waiting.
    func readySessionEvent() -> SessionEvent? {
        let (event, shouldWake) = state.withLock { state -> (LinkEvent?, Bool) in
            guard !state.isFinished, state.waiter == nil, let event = state.machine.nextEvent() else { return (nil, false) }
            if case .closed = event { state.isFinished = true }
            return (event, state.machine.wantsTransmit)
        }
        if shouldWake { wake() }
        return event.flatMap(Self.sessionEvent)
    }

    func close(_ code: CloseCode, detail: String) {
        update { $0.close(code, detail: detail, now: .current) }
        wake()
    }

    func observe(_ kind: Evidence.Kind, _ detail: String) {
        update { $0.observe(Evidence(kind, detail, at: .current), now: .current) }
        wake()
    }

    func transportEnded() {
        state.withLock { state in (state.sound, state.onLoss) = (nil, nil) } // they may hold their owner, who holds this
        transportGone.succeed()
    }

    func waitForTransportEnd() async { try? await transportGone.futureResult.get() }

    func setNeedsClock(_ isNeeded: Bool) {
        inspect { $0.needsClock = isNeeded }
        wake() // its next deadline is another
    }

    var statistics: LinkStatistics { inspect { $0.statistics } }

    func cut() {
        loop.execute { self.handler.value.handler?.cut() }
    }

    /// The next event, `nil` after `.closed` and when the task is cancelled. One caller at a time.
    func next() async -> LinkEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (waiter, event, shouldWake) = state.withLock { state -> (CheckedContinuation<LinkEvent?, Never>?, LinkEvent?, Bool) in
                    guard !state.isFinished, state.waiter == nil, !Task.isCancelled else { return (continuation, nil, false) }
                    state.waiter = continuation
                    let delivery = Self.deliver(&state)
                    // Taking it may have given credit back, which the peer should know.
                    return (delivery?.0, delivery?.1, state.machine.wantsTransmit)
                }
                waiter?.resume(returning: event)
                if shouldWake { wake() }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume(returning: nil)
        }
    }

    func nextSessionEvent() async -> SessionEvent? {
        while let event = await next() {
            if let event = Self.sessionEvent(event) { return event }
        }
        return nil
    }

    private static func sessionEvent(_ event: LinkEvent) -> SessionEvent? {
        switch event {
        case .message(let channel, let type, let body): .message(channel: channel.rawValue, type: type, body: body)
        case .late(let time): .late(for: time)
        case .suspected(let evidence): .suspected(evidence)
        case .recovered(let silence): .recovered(silence: silence)
        case .closed(let closure): .closed(closure)
        case .helloReceived, .established: nil // told before the session was made
        }
    }

    /// Has the event loop look after the machine; many calls before it does are one.
    private func wake() {
        guard !isWakePending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        loop.execute {
            self.isWakePending.store(false, ordering: .releasing)
            self.handler.value.handler?.machineChanged()
        }
    }
}
