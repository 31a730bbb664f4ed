import FasciaDiscovery
import FasciaEvents
import Logging

/// The car's entry on the local network.
@MainActor
final class Announcement {
    private let advertiser: Advertiser
    private var current: Advertisement

    init(name: String, port: Int, fingerprint: [UInt8], pairing: Bool, environment: [String: String], events: EventLog, log: Logger) throws(DiscoveryError) {
        current = Advertisement(name: name, port: UInt16(clamping: port), fingerprint: fingerprint, pairing: pairing)
        advertiser = Advertiser(current, options: try .resolve(environment: environment), logger: log) { event in
            switch event {
            case .backend(let backend, let reason): events.emit("discovery-backend", ["backend": .string(backend.rawValue), "reason": .string(reason)])
            case .announced(let instance, let interfaces):
                events.emit("announced", ["instance": .string(instance), "interfaces": .array(interfaces.map { .string($0) })])
            case .established(let instance): events.emit("advertised", ["name": .string(instance)])
            case .renamed(let from, let to): events.emit("renamed", ["from": .string(from), "to": .string(to)])
            case .unavailable(let error): events.emit("discovery-unavailable", ["reason": .string(error.description)])
            }
        }
        try advertiser.start()
    }

    func setPairing(_ open: Bool) {
        let value = open ? "1" : "0"
        guard current.txt[ServiceText.pairKey] != value else { return }
        current.txt[ServiceText.pairKey] = value
        advertiser.update(current)
    }

    /// Withdraws the entry; returns when the network was told.
    func withdraw() { advertiser.stop() }
}
