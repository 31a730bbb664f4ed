import Logging
import Synchronization

/// What an `Advertiser` tells.
public enum AdvertiserEvent: Sendable, Equatable {
    /// The backend in use, and why that one.
    case backend(DiscoveryBackend, reason: String)
    /// The service was told to the network at once, on these interfaces, ahead of the claim to its name (spec 4.1).
    case announced(name: String, interfaces: [String])
    /// The claim to the name is through.
    case established(name: String)
    /// Another host had the name; the next `established` says the new one.
    case renamed(from: String, to: String)
    /// Nothing is announced for now; it is being tried again.
    case unavailable(DiscoveryError)
}

/// Announces one car on the local network for as long as it is started, through restarts of the Avahi daemon.
///
/// Safe to use from any thread; events come on the avahi thread and must not wait there.
public final class Advertiser: Sendable {
    private struct State {
        var advertisement: Advertisement
        var backend: DiscoveryBackend?
        var name: String?
        var thread: AvahiThread<AdvertiserEngine>?
    }

    private let state: Mutex<State>
    private let relay: AdvertiserRelay

    /// - Parameter onEvent: called on the avahi thread.
    public init(_ advertisement: Advertisement, options: DiscoveryOptions, logger: Logger = Logger(label: "fascia.discovery"),
                onEvent: @escaping @Sendable (AdvertiserEvent) -> Void = { _ in }) {
        state = Mutex(State(advertisement: advertisement))
        relay = AdvertiserRelay(options: options, logger: logger, onEvent: onEvent)
    }

    deinit { stop() }

    /// The backend in use, nil while none works.
    public var backend: DiscoveryBackend? { relay.current.withLock { $0.backend } }
    /// The name others see, nil until it is established. Differs from the one asked for after a collision.
    public var establishedName: String? { relay.current.withLock { $0.name } }

    /// Starts announcing. What does not work afterwards is told by events and tried again.
    /// - Throws: only when the process is out of threads or file descriptors.
    public func start() throws(DiscoveryError) {
        let relay = relay
        try state.withLock { state throws(DiscoveryError) in
            guard state.thread == nil else { return }
            let advertisement = state.advertisement
            state.thread = try AvahiThread(make: { loop in
                let engine = AdvertiserEngine(loop: loop, advertisement: advertisement, relay: relay)
                engine.open()
                return engine
            }, finish: { $0.close() })
        }
    }

    /// Changes what is announced: a TXT record in place, anything else by announcing anew.
    public func update(_ advertisement: Advertisement) {
        let thread = state.withLock { state in
            state.advertisement = advertisement
            return state.thread
        }
        thread?.submit { $0.update(advertisement) }
    }

    /// Says goodbye to the network; returns when that is done. Can be started again.
    public func stop() {
        let thread = state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
        thread?.stop()
        relay.current.withLock { $0 = .init() }
    }
}

/// Carries what the engine tells to the log, the properties and the handler.
final class AdvertiserRelay: Sendable {
    struct Current {
        var backend: DiscoveryBackend?
        var name: String?
    }

    let options: DiscoveryOptions
    let current = Mutex(Current())
    private let logger: Logger
    private let onEvent: @Sendable (AdvertiserEvent) -> Void

    init(options: DiscoveryOptions, logger: Logger, onEvent: @escaping @Sendable (AdvertiserEvent) -> Void) {
        self.options = options
        self.logger = logger
        self.onEvent = onEvent
    }

    func tell(_ event: AdvertiserEvent) {
        switch event {
        case .backend(let backend, let reason):
            current.withLock { $0.backend = backend }
            logger.info("mDNS by the \(backend == .daemon ? "Avahi daemon" : "embedded responder") (\(reason))")
        case .announced(let name, let interfaces):
            logger.debug("told \(interfaces.isEmpty ? "no interface" : interfaces.joined(separator: ", ")) about \"\(name)\" at once")
        case .established(let name):
            current.withLock { $0.name = name }
            logger.info("announced as \"\(name)\"")
        case .renamed(let old, let new):
            logger.notice("the name \"\(old)\" is taken on this network; announcing \"\(new)\"")
        case .unavailable(let error):
            current.withLock { $0 = .init() }
            logger.warning("\(error)")
        }
        onEvent(event)
    }
}
