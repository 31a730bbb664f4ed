import FasciaCarrier
import FasciaDiscovery
import FasciaEvents
import FasciaTrust

/// Knows where the car may be reached right now: the fixed address, or the last one that worked beside what mDNS says.
@MainActor
final class CarFinder {
    struct Candidate: Equatable {
        let address: CarrierAddress
        /// For the event log: `address`, `last-address`, `mdns` or `unicast-query`.
        let source: String
    }

    private let car: PhoneConfiguration.Car
    private let trust: TrustStore
    private let events: EventLog
    private var discovered: DiscoveredCar?
    /// How `discovered` came to be known.
    private var source = "mdns"
    /// Names of cars that answer and are not the one looked for.
    var others: [String] { otherCars.values.sorted() }
    /// By service name.
    private var otherCars: [String: String] = [:]
    private var browsing: Task<Void, Never>?
    private var browser: Browser?
    private var question: Task<Void, Never>?
    /// The car was seen somewhere new.
    var onFound: () -> Void = {}
    /// The car said that it is going.
    var onGone: () -> Void = {}

    init(car: PhoneConfiguration.Car, trust: TrustStore, events: EventLog) {
        self.car = car
        self.trust = trust
        self.events = events
    }

    /// Starts looking, for a car that is known by its name.
    func start(_ browser: Browser) {
        guard case .named(let name) = car else { return }
        self.browser = browser
        ask()
        browsing = Task { [weak self] in
            for await event in browser.events {
                guard let self else { return }
                switch event {
                case .found(let car) where (car.name == name || car.displayName == name) && !self.isRival(car): self.found(car, by: "mdns")
                case .lost(name: let lost) where lost == self.discovered?.name:
                    self.discovered = nil
                    self.onGone()
                case .found(let car): self.otherCars[car.name] = car.displayName
                case .lost(name: let lost): self.otherCars[lost] = nil
                default: break
                }
            }
        }
    }

    func stop() {
        browsing?.cancel()
        question?.cancel()
        browser = nil
    }

    /// Asks for a known car alone, past what the caches on the way to the browser hold; for moments when that may be stale.
    func ask() {
        guard question == nil, let browser, let known = pinnedPeer() else { return }
        let instance = Advertisement.instance(name: known.name, fingerprint: known.fingerprint.bytes)
        question = Task { [weak self] in
            let answer = await UnicastQuery.ask(instance, options: browser.options)
            guard let self, !Task.isCancelled else { return }
            self.question = nil
            if let answer { self.found(answer.car, by: "unicast-query") }
        }
    }

    /// Another car of the same name, while the one this phone is paired with is there.
    private func isRival(_ car: DiscoveredCar) -> Bool {
        guard let known = pinnedPeer().map({ Advertisement.id(of: $0.fingerprint.bytes) }) else { return false }
        return discovered?.id == known && car.id != known
    }

    /// Addresses to try, best first.
    func candidates() -> [Candidate] {
        switch car {
        case .address(let address): return [Candidate(address: address, source: "address")]
        case .named(let name):
            var list: [Candidate] = []
            if let found = discovered { list.append(Candidate(address: CarrierAddress(host: found.host, port: Int(found.port)), source: source)) }
            if let last = peer(named: name)?.lastAddress, let address = CarrierAddress(last), !list.contains(where: { $0.address == address }) {
                list.append(Candidate(address: address, source: "last-address"))
            }
            return list
        }
    }

    /// The key the car must prove, nil when it was never paired. Where several fit the one paired last counts: a car that
    /// was reset has a new key under its old name and address.
    func pinnedPeer() -> TrustedPeer? {
        switch car {
        case .named(let name): peer(named: name)
        case .address(let address): trust.peers.last { $0.lastAddress == address.description }
        }
    }

    private func found(_ car: DiscoveredCar, by source: String) {
        guard discovered?.host != car.host || discovered?.port != car.port else { return }
        discovered = car
        self.source = source
        events.emit("discovered", [
            "name": .string(car.displayName), "host": .string(car.host), "port": .integer(Int64(car.port)), "source": .string(source),
            "backend": .string(source == "mdns" ? browser?.backend?.rawValue ?? "none" : "direct"),
        ])
        onFound()
    }

    private func peer(named name: String) -> TrustedPeer? { trust.peers.last { $0.name == name } }
}
