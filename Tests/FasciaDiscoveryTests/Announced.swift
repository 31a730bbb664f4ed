import FasciaDiscovery
import Synchronization
import Testing

/// An advertiser whose events can be awaited.
final class Announced: Sendable {
    let advertiser: Advertiser
    private let events: AsyncStream<AdvertiserEvent>

    init(_ name: String, port: UInt16 = 7000, pairing: Bool = true, key: UInt8 = 0xAB, backend: DiscoveryBackend?) throws {
        let (events, continuation) = AsyncStream.makeStream(of: AdvertiserEvent.self)
        self.events = events
        advertiser = Advertiser(.test(name, port: port, pairing: pairing, key: key), options: DiscoveryOptions(interface: "lo", backend: backend)) { continuation.yield($0) }
        try advertiser.start()
    }

    /// The next event that `transform` accepts.
    func next<Value: Sendable>(_ transform: @escaping @Sendable (AdvertiserEvent) -> Value?) async throws -> Value {
        let events = events
        return try await within(seconds: 60) {
            for await event in events { if let value = transform(event) { return value } }
            return nil
        }
    }

    func backendUsed() async throws -> DiscoveryBackend { try await next { if case .backend(let backend, _) = $0 { backend } else { nil } } }

    func unavailable() async throws -> DiscoveryError { try await next { if case .unavailable(let error) = $0 { error } else { nil } } }

    func established() async throws -> String { try await next { if case .established(let name) = $0 { name } else { nil } } }
}

extension Advertisement {
    /// The cars of a test have different keys when their `key` differs.
    static func test(_ name: String, port: UInt16 = 7000, pairing: Bool = true, key: UInt8 = 0xAB) -> Advertisement {
        Advertisement(name: name, port: port, fingerprint: [UInt8](repeating: key, count: 32), pairing: pairing)
    }
}

extension Browser {
    static func test(_ backend: DiscoveryBackend?) throws -> Browser {
        let browser = Browser(options: DiscoveryOptions(interface: "lo", backend: backend))
        try browser.start()
        return browser
    }

    /// The next event that `transform` accepts.
    func next<Value: Sendable>(_ transform: @escaping @Sendable (BrowserEvent) -> Value?) async throws -> Value {
        let events = events
        return try await within(seconds: 60) {
            for await event in events { if let value = transform(event) { return value } }
            return nil
        }
    }

    func backendUsed() async throws -> DiscoveryBackend { try await next { if case .backend(let backend, _) = $0 { backend } else { nil } } }

    func unavailable() async throws -> DiscoveryError { try await next { if case .unavailable(let error) = $0 { error } else { nil } } }

    /// The car of this name or instance name, as soon as what is known of it fits.
    func found(_ name: String, where fits: @escaping @Sendable (DiscoveredCar) -> Bool = { _ in true }) async throws -> DiscoveredCar {
        try await next { if case .found(let car) = $0, car.displayName == name || car.name == name, fits(car) { car } else { nil } }
    }

    func lost(_ name: String) async throws {
        let instance = Advertisement.test(name).instance
        try await next { if case .lost(instance) = $0 { () } else { nil } }
    }
}

struct TimedOut: Error {}

/// The result of `body`; an error when it takes longer or has none.
func within<Value: Sendable>(seconds: Double, _ body: @escaping @Sendable () async -> Value?) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { await body() }
        group.addTask {
            try await Task.sleep(for: .seconds(seconds))
            throw TimedOut()
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let value = first else { throw TimedOut() }
        return value
    }
}
