/// Which Avahi does the work.
public enum DiscoveryBackend: String, Sendable, CaseIterable {
    /// The system's avahi-daemon, over D-Bus.
    case daemon
    /// The responder of avahi-core inside this process.
    case embedded
}

/// How mDNS is done.
public struct DiscoveryOptions: Sendable, Equatable {
    /// Only this network interface ("lo", "wlan0"); nil: all that can multicast.
    public var interface: String?
    /// Only this backend; nil: the daemon where it runs, else the embedded responder.
    public var backend: DiscoveryBackend?

    public init(interface: String? = nil, backend: DiscoveryBackend? = nil) {
        self.interface = interface
        self.backend = backend
    }

    /// Options with what is not given here taken from `FASCIA_MDNS_INTERFACE` and `FASCIA_MDNS_BACKEND` (auto, daemon, embedded).
    public static func resolve(interface: String? = nil, backend: DiscoveryBackend? = nil, environment: [String: String])
        throws(DiscoveryError) -> DiscoveryOptions {
        var options = DiscoveryOptions(interface: interface, backend: backend)
        if options.interface == nil, let name = environment["FASCIA_MDNS_INTERFACE"], !name.isEmpty { options.interface = name }
        if options.backend == nil, let name = environment["FASCIA_MDNS_BACKEND"], !name.isEmpty, name != "auto" {
            guard let backend = DiscoveryBackend(rawValue: name) else { throw .unknownBackend(name) }
            options.backend = backend
        }
        return options
    }
}
