import FasciaLink
import NIOCore
import NIOPosix
import Synchronization

/// A connection that is being made, or is ready to be. To be waited for once.
public final class PendingLink: Sendable {
    private enum Stage { case ready, started(at: UInt64), dropped }

    private let plan: DialPlan
    private let box: RaceBox
    private let isRefreshPending = Atomic(false)
    /// Something that changes often is not made ready each time.
    private static let calm = TimeAmount.milliseconds(20)
    private let stage = Mutex(Stage.ready)
    private let onSuccess: @Sendable (LinkSession) -> Void

    init(_ plan: DialPlan, on loop: any EventLoop, onSuccess: @escaping @Sendable (LinkSession) -> Void) {
        self.plan = plan
        box = RaceBox(loop)
        self.onSuccess = onSuccess
    }

    /// Begins, unless it has begun or was dropped; on its event loop before this returns.
    public func start() {
        let isFirst = stage.withLock { stage in
            guard case .ready = stage else { return false }
            stage = .started(at: .current)
            return true
        }
        guard isFirst else { return }
        if box.loop.inEventLoop { return box.start(plan) }
        let (box, plan) = (box, plan)
        box.loop.execute { box.start(plan) }
    }

    /// Makes its first flight ready, or ready again because it is another one now; a moment later, once for several calls.
    public func refresh() {
        guard plan.draft != nil, !isRefreshPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let (box, plan) = (box, plan)
        box.loop.execute {
            box.loop.scheduleTask(in: Self.calm) {
                self.isRefreshPending.store(false, ordering: .releasing)
                box.makeReady(plan)
            }
        }
    }

    /// When it began, nanoseconds of CLOCK_MONOTONIC; nil when it has not.
    public var started: UInt64? { stage.withLock { if case .started(let time) = $0 { time } else { nil } } }

    /// Has it never begin.
    /// - Returns: false when it has begun.
    public func drop() -> Bool {
        let isDropped = stage.withLock { stage in
            if case .started = stage { return false }
            stage = .dropped
            return true
        }
        let box = box
        if isDropped { box.loop.execute { box.forget() } }
        return isDropped
    }

    /// The outcome; no connection outlives a cancelled task but the one that is returned.
    nonisolated(nonsending) public func session() async throws(CarrierError) -> LinkSession {
        do {
            let session = try await withTaskCancellationHandler { try await plan.outcome.value() } onCancel: { cancel() }
            onSuccess(session)
            return session
        } catch {
            throw error as? CarrierError ?? CarrierError(.internalError, .local, "\(error)", cause: error)
        }
    }

    /// More addresses of the same head unit have become known: they are tried as well.
    public func widen(to addresses: [CarrierAddress]) {
        let box = box
        let more = addresses.map(DialAddress.init)
        box.loop.execute { box.widen(more) }
    }

    /// Gives it up, whoever waits for it.
    public func cancel() {
        let box = box
        box.loop.execute { box.cancel() }
    }
}

/// Holds a race for its event loop, from the moment it is asked for.
private final class RaceBox: Sendable {
    let loop: any EventLoop
    private let race: NIOLoopBoundBox<DialRace?>
    private let isCancelled: NIOLoopBoundBox<Bool>
    private let ready: NIOLoopBoundBox<ReadyFlight?>
    private let renewal: NIOLoopBoundBox<Scheduled<Void>?>

    init(_ loop: any EventLoop) {
        self.loop = loop
        race = .makeEmptyBox(eventLoop: loop)
        ready = .makeEmptyBox(eventLoop: loop)
        renewal = .makeEmptyBox(eventLoop: loop)
        isCancelled = .makeBoxSendingValue(false, eventLoop: loop)
    }

    func start(_ plan: DialPlan) {
        let race = DialRace(plan, loop)
        self.race.value = race
        let ready = ready.value.flatMap { plan.draft?.take() == true ? $0 : nil }
        if isCancelled.value { race.cancel() } else { race.start(ready) }
        forget()
    }

    /// And again, before it is too old.
    func makeReady(_ plan: DialPlan) {
        renewal.value?.cancel()
        guard race.value == nil, !isCancelled.value else { return }
        ready.value = nil // its ticket is wanted
        ready.value = ReadyFlight(plan, loop)
        renewal.value = loop.scheduleTask(in: ReadyFlight.lifetime) { [weak self] in self?.makeReady(plan) }
    }

    func forget() {
        renewal.value?.cancel()
        renewal.value = nil
        ready.value = nil
        if race.value == nil { isCancelled.value = true }
    }

    func widen(_ addresses: [DialAddress]) { race.value?.widen(addresses) }

    func cancel() {
        isCancelled.value = true
        race.value?.cancel()
    }
}
