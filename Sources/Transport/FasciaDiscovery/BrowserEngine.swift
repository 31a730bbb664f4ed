/// Looks through whichever backend is open, and makes one car of what is seen of it per interface and protocol.
/// Confined to the avahi thread.
final class BrowserEngine {
    private let loop: AvahiLoop
    private let relay: BrowserRelay
    private var host: BackendHost?
    private var sightings: [String: [ServiceInstance: ResolvedService]] = [:]
    private var told: [String: DiscoveredCar] = [:]

    init(loop: AvahiLoop, relay: BrowserRelay) {
        self.loop = loop
        self.relay = relay
    }

    func open() {
        let host = BackendHost(loop: loop, options: relay.options, hostLabel: nil) { [weak self] in self?.received($0) }
        self.host = host
        host.open()
    }

    func close() { host?.close() }

    private func received(_ event: BackendHost.Event) {
        switch event {
        case .opened(let backend, let reason): relay.tell(.backend(backend, reason: reason))
        case .running: browse()
        case .lost:
            let names = told.keys.sorted()
            sightings = [:]
            told = [:]
            for name in names { relay.tell(.lost(name: name)) }
        case .unavailable(let error): relay.tell(.unavailable(error))
        case .service(.resolved(let instance, let service)):
            sightings[instance.name, default: [:]][instance] = service
            refresh(instance.name)
        case .service(.disappeared(let instance)):
            sightings[instance.name]?[instance] = nil
            refresh(instance.name)
        case .service: break
        }
    }

    private func browse() {
        do throws(AvahiFailure) { try host?.backend?.browse() } catch {
            relay.tell(.unavailable(.refused("cannot look for cars", error.text)))
        }
    }

    private func refresh(_ name: String) {
        let seen = sightings[name] ?? [:]
        guard let car = DiscoveredCar(name: name, seen: seen) else {
            sightings[name] = nil
            if told.removeValue(forKey: name) != nil { relay.tell(.lost(name: name)) }
            return
        }
        guard told[name] != car else { return }
        told[name] = car
        relay.tell(.found(car))
    }
}

extension DiscoveredCar {
    /// Merges what was seen of one name; nil when nothing is. IPv4 comes first, then by interface.
    init?(name: String, seen: [ServiceInstance: ResolvedService]) {
        let ordered = seen.sorted {
            ($0.value.isIPv4 ? 0 : 1, $0.key.interface, $0.value.address) < ($1.value.isIPv4 ? 0 : 1, $1.key.interface, $1.value.address)
        }.map(\.value)
        guard let first = ordered.first else { return nil }
        var addresses: [String] = []
        for service in ordered where service.port == first.port && !addresses.contains(service.address) { addresses.append(service.address) }
        let id = first.text[ServiceText.idKey]?.lowercased()
        self.init(name: name, id: id.flatMap { Advertisement.isID($0) ? $0 : nil }, host: first.address, port: first.port,
                  addresses: addresses, hostName: first.hostName, txt: first.text)
    }
}
