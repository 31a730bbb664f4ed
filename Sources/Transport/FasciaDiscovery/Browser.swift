import Logging
import Synchronization

/// What a `Browser` tells.
public enum BrowserEvent: Sendable, Equatable {
    /// The backend in use, and why that one.
    case backend(DiscoveryBackend, reason: String)
    /// A car is there, or what it announces has changed (same `name`).
    case found(DiscoveredCar)
    /// The car of this name is no longer announced: its goodbye came, or its record expired.
    case lost(name: String)
    /// Nothing can be found for now; it is being tried again.
    case unavailable(DiscoveryError)
}

/// Looks for cars on the local network for as long as it is started, through restarts of the Avahi daemon.
///
///     let browser = Browser(options: try .resolve(environment: ProcessInfo.processInfo.environment))
///     try browser.start()
///     for await case .found(let car) in browser.events { print(car.displayName, car.host, car.port) }
///
/// Safe to use from any thread.
public final class Browser: Sendable {
    /// What happens, in order; for one consumer. Ends with `stop`.
    public let events: AsyncStream<BrowserEvent>
    private let relay: BrowserRelay
    private let thread = Mutex<AvahiThread<BrowserEngine>?>(nil)

    public init(options: DiscoveryOptions, logger: Logger = Logger(label: "fascia.discovery")) {
        // Cars come and go at human speed; a consumer that stopped reading loses the oldest of very many events.
        let (events, continuation) = AsyncStream.makeStream(of: BrowserEvent.self, bufferingPolicy: .bufferingNewest(4096))
        self.events = events
        relay = BrowserRelay(options: options, logger: logger, continuation: continuation)
    }

    deinit { stop() }

    /// How it looks.
    public var options: DiscoveryOptions { relay.options }
    /// The backend in use, nil while none works.
    public var backend: DiscoveryBackend? { relay.current.withLock { $0.backend } }
    /// The cars that are there now, by name.
    public var cars: [DiscoveredCar] { relay.current.withLock { $0.cars.values.sorted { $0.name < $1.name } } }

    /// Starts looking. What does not work afterwards is told by events and tried again.
    /// - Throws: only when the process is out of threads or file descriptors.
    public func start() throws(DiscoveryError) {
        let relay = relay
        try thread.withLock { thread throws(DiscoveryError) in
            guard thread == nil else { return }
            thread = try AvahiThread(make: { loop in
                let engine = BrowserEngine(loop: loop, relay: relay)
                engine.open()
                return engine
            }, finish: { $0.close() })
        }
    }

    /// Stops looking and ends `events`, for good.
    public func stop() {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        running?.stop()
        relay.continuation.finish()
    }
}

/// Carries what the engine tells to the log, the properties and the stream.
final class BrowserRelay: Sendable {
    struct Current {
        var backend: DiscoveryBackend?
        var cars: [String: DiscoveredCar] = [:]
    }

    let options: DiscoveryOptions
    let continuation: AsyncStream<BrowserEvent>.Continuation
    let current = Mutex(Current())
    private let logger: Logger

    init(options: DiscoveryOptions, logger: Logger, continuation: AsyncStream<BrowserEvent>.Continuation) {
        self.options = options
        self.logger = logger
        self.continuation = continuation
    }

    func tell(_ event: BrowserEvent) {
        switch event {
        case .backend(let backend, let reason):
            current.withLock { $0.backend = backend }
            logger.info("mDNS by the \(backend == .daemon ? "Avahi daemon" : "embedded responder") (\(reason))")
        case .found(let car):
            current.withLock { $0.cars[car.name] = car }
        case .lost(let name):
            current.withLock { $0.cars[name] = nil }
        case .unavailable(let error):
            current.withLock { $0.backend = nil }
            logger.warning("\(error)")
        }
        continuation.yield(event)
    }
}
