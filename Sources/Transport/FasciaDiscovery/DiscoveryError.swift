/// Why discovery does not work, in words that say what to do.
public struct DiscoveryError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: Sendable, Hashable {
        private enum Base { case backend, interface, daemon, embedded, gone, name, service }
        private let base: Base
        /// `FASCIA_MDNS_BACKEND` or a flag names none of the backends.
        public static let unknownBackend = Code(base: .backend)
        /// The network interface does not exist.
        public static let noSuchInterface = Code(base: .interface)
        /// The Avahi daemon (or D-Bus) cannot be reached.
        public static let daemonUnavailable = Code(base: .daemon)
        /// The embedded responder could not start.
        public static let embeddedUnavailable = Code(base: .embedded)
        /// The daemon was there and went away; it is being waited for.
        public static let daemonGone = Code(base: .gone)
        /// The service could not be announced or browsed for.
        public static let refused = Code(base: .service)
    }

    public let code: Code
    public let description: String

    static func unknownBackend(_ name: String) -> Self {
        Self(code: .unknownBackend, description: "\"\(name)\" is no mDNS backend; FASCIA_MDNS_BACKEND is one of auto, daemon, embedded")
    }
    static func noSuchInterface(_ name: String) -> Self {
        Self(code: .noSuchInterface, description: "there is no network interface \"\(name)\" (FASCIA_MDNS_INTERFACE); `ip -brief link` lists them")
    }
    static func daemonUnavailable(_ cause: String) -> Self {
        Self(code: .daemonUnavailable, description: "the Avahi daemon cannot be reached: \(cause). Start it (systemctl start avahi-daemon), "
            + "or use the embedded responder: FASCIA_MDNS_BACKEND=embedded")
    }
    static func embeddedUnavailable(_ cause: String) -> Self {
        Self(code: .embeddedUnavailable, description: "the embedded mDNS responder cannot start: \(cause). Is UDP port 5353 free for sharing and a "
            + "network interface up? Cars can also be reached without discovery, by address")
    }
    static func nothingWorks(daemon: String, embedded: String) -> Self {
        Self(code: .embeddedUnavailable, description: "no mDNS on this machine: the Avahi daemon cannot be reached (\(daemon)) and the embedded responder "
            + "cannot start (\(embedded)). Start avahi-daemon, or do without discovery: give the address of the car")
    }
    static func daemonGone(_ cause: String) -> Self {
        Self(code: .daemonGone, description: "the Avahi daemon went away (\(cause)); waiting for it")
    }
    static func refused(_ what: String, _ cause: String) -> Self {
        Self(code: .refused, description: "\(what): \(cause)")
    }
}
