import NIOCore
import NIOPosix

/// A connection that is being made. To be waited for once.
public final class PendingLink: Sendable {
    private let box: RaceBox
    private let outcome: OneShot<LinkSession>
    private let onSuccess: @Sendable (LinkSession) -> Void

    init(_ plan: DialPlan, onSuccess: @escaping @Sendable (LinkSession) -> Void) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let box = RaceBox(loop)
        self.box = box
        self.onSuccess = onSuccess
        outcome = plan.outcome
        loop.execute { box.start(plan) }
    }

    /// The outcome; no connection outlives a cancelled task but the one that is returned.
    nonisolated(nonsending) public func session() async throws(CarrierError) -> LinkSession {
        do {
            let session = try await withTaskCancellationHandler { try await outcome.value() } onCancel: { cancel() }
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

    private func cancel() {
        let box = box
        box.loop.execute { box.cancel() }
    }
}

/// Holds a race for its event loop, from the moment it is asked for.
private final class RaceBox: Sendable {
    let loop: any EventLoop
    private let race: NIOLoopBoundBox<DialRace?>
    private let isCancelled: NIOLoopBoundBox<Bool>

    init(_ loop: any EventLoop) {
        self.loop = loop
        race = .makeEmptyBox(eventLoop: loop)
        isCancelled = .makeBoxSendingValue(false, eventLoop: loop)
    }

    func start(_ plan: DialPlan) {
        let race = DialRace(plan, loop)
        self.race.value = race
        if isCancelled.value { race.cancel() } else { race.start() }
    }

    func widen(_ addresses: [DialAddress]) { race.value?.widen(addresses) }

    func cancel() {
        isCancelled.value = true
        race.value?.cancel()
    }
}
