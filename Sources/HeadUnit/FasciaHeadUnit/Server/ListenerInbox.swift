import Dispatch
import FasciaCarrier
import Synchronization

/// The listener's events on the main actor, kept until the head unit is ready for them. The steps of a connection come with what comes of
/// it: to wake the main actor for each of them would delay the picture behind the next one.
@MainActor
final class ListenerInbox {
    typealias Step = (phase: ConnectPhase, address: CarrierAddress)
    private typealias Letter = (steps: [Step], event: ListenerEvent)

    /// Reached, and not told yet.
    private nonisolated let steps = Mutex<[Step]>([])
    private var early: [Letter] = []
    private var handle: (([Step], ListenerEvent) -> Void)?

    nonisolated init() {}

    /// On any thread.
    nonisolated func receive(_ event: ListenerEvent) {
        if case .phase(let phase, let address) = event {
            if phase.kind != .negotiated { steps.withLock { $0.append((phase, address)) } }
            return
        }
        let before = steps.withLock { steps in
            defer { steps = [] }
            return steps
        }
        DispatchQueue.main.async { MainActor.assumeIsolated { self.deliver((before, event)) } }
    }

    private func deliver(_ letter: Letter) {
        if let handle { handle(letter.steps, letter.event) } else { early.append(letter) }
    }

    /// What came before is handled now, what comes, when it comes.
    func open(_ handle: @escaping ([Step], ListenerEvent) -> Void) {
        self.handle = handle
        for letter in early { handle(letter.steps, letter.event) }
        early = []
    }
}
