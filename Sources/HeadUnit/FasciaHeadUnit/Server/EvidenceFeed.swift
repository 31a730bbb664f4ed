import FasciaEvents
import FasciaEvidence
import FasciaLink
import Logging

/// Tells the phone's link what is seen outside it: the head unit finds out on its own that the way to the phone is closed.
@MainActor
final class EvidenceFeed {
    private let sources: EvidenceSources
    private let events: EventLog
    private var reader: Task<Void, Never>?
    /// The connection there is and the way it takes out of this machine.
    private var link: CarrierPhoneLink?
    private var path: LinkPath?

    init(events: EventLog, log: Logger) {
        sources = EvidenceSources(logger: log)
        self.events = events
    }

    func start() {
        sources.start()
        reader = Task { [weak self, sources] in
            for await event in sources.events { self?.handle(event) }
        }
    }

    func stop() {
        reader?.cancel()
        sources.stop()
    }

    /// To be called with each new connection.
    func watch(_ new: CarrierPhoneLink) {
        link = new
        path = nil
        let peer = new.session.remote.address.host
        Task { [weak self] in
            // Asking the kernel for routes and interfaces takes long enough to keep it from the first frame's way.
            let path = await Task.detached { LinkPath(to: peer) }.value
            if self?.link === new { self?.path = path }
        }
    }

    private func handle(_ event: EvidenceEvent) {
        switch event.kind {
        case .carrierLost, .addressLost:
            guard let link, path?.isHurt(by: event.kind) == true else { return }
            tell(event)
            link.session.observe(.carrierLost, detail: event.kind.detail)
        case .clockStepped: tell(event) // every deadline is on the monotonic clock: only worth knowing
        case .carrierBack, .addressAdded, .powerLost, .powerBack: break // the phone is the one that connects
        }
    }

    private func tell(_ event: EvidenceEvent) {
        events.emit("evidence", ["kind": .string(event.kind.name), "detail": .string(event.kind.detail)], at: event.at)
    }
}
