import FasciaEvents

/// What the service manager is told comes from the events that the programs tell anyway.
extension ServiceManager {
    /// How long a head unit that listens waits for mDNS before it says that it is ready: a phone that knows its address may come any time.
    private static let patience: Duration = .seconds(5)

    /// Hear an event of a head unit: ready when it listens, shows its home and is announced.
    /// - Parameter isAnnounced: it is to be announced by mDNS.
    public func headUnit(_ event: EventRecord, isAnnounced: Bool) {
        switch event.event {
        case "listening":
            status("waiting for a phone on port \(text(event, "port"))")
            Task { @MainActor in // after the turn in which the first screen is shown
                if isAnnounced { try? await Task.sleep(for: Self.patience) }
                ready()
            }
        case "advertised", "discovery-unavailable": ready()
        case "connected", "resumed": status("showing \(text(event, "phone"))")
        case "suspended": status("waiting for the phone to come back")
        case "disconnected": status("waiting for a phone")
        case "stopping": stopping()
        default: break
        }
    }

    /// Hear an event of a phone: ready when it begins to look for its car.
    public func phone(_ event: EventRecord) {
        switch event.event {
        case "started":
            status("looking for the car")
            ready()
        case "connected", "resumed": status("connected to \(text(event, "car"))")
        case "suspended": status("waiting for the car to come back")
        case "disconnected": status("looking for the car")
        case "stopping": stopping()
        default: break
        }
    }

    private func text(_ event: EventRecord, _ field: String) -> String {
        if case .string(let text)? = event[field] { return text }
        return event[field]?.description ?? "?"
    }
}
