import FasciaCarrier

/// The listener's events on the main actor, kept until the head unit is ready for them.
@MainActor
final class ListenerInbox {
    private var early: [ListenerEvent] = []
    private var handle: ((ListenerEvent) -> Void)?

    nonisolated init() {}

    func receive(_ event: ListenerEvent) {
        if let handle { handle(event) } else { early.append(event) }
    }

    /// What came before is handled now, what comes, when it comes.
    func open(_ handle: @escaping (ListenerEvent) -> Void) {
        self.handle = handle
        for event in early { handle(event) }
        early = []
    }
}
