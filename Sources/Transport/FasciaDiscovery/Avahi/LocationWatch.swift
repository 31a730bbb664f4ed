import CAvahi
import CResolver
import Glibc

/// Where a service says it is: the content of an SRV record.
struct ServiceLocation: Equatable {
    let port: UInt16
    /// Fully qualified, lower case.
    let host: String

    init(port: UInt16, host: String) {
        self.port = port
        self.host = host.lowercased()
    }

    /// From record data as it is on the wire; nil when it is cut.
    init?(_ data: UnsafeRawBufferPointer) {
        guard data.count > 6, let base = data.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        var name = [CChar](repeating: 0, count: Int(NS_MAXDNAME))
        guard ns_name_uncompress(base, base + data.count, base + 6, &name, name.count) >= 0 else { return nil }
        self.init(port: UInt16(data[4]) << 8 | UInt16(data[5]), host: DNSRecord.text(name))
    }
}

/// Follows the SRV records of one instance. Avahi's resolvers keep the one they had until it expires, a second after the news
/// and, with the question for the new one, two: too long for a head unit that was started again at another port.
final class LocationWatch {
    /// The newest last.
    private(set) var known: [ServiceLocation] = []
    /// One came, or went: the resolver need not say anything to that, for it may have had the right one all the time.
    var onChange: () -> Void = {}
    /// What is in Avahi's cache comes first, the newest before the older ones.
    private var isCacheTold = false
    private var close: (() -> Void)?

    /// - Parameter open: starts a record browser that tells this object; gives what ends it.
    init(open: (LocationWatch) -> (() -> Void)?) { close = open(self) }

    func told(_ event: AvahiBrowserEvent, _ location: ServiceLocation?) {
        if event == AVAHI_BROWSER_CACHE_EXHAUSTED { isCacheTold = true }
        guard let location, location.port != 0 else { return }
        switch event {
        case AVAHI_BROWSER_NEW:
            known.removeAll { $0 == location }
            // Two are there for a second when one follows another; more are nothing a car does.
            known = isCacheTold ? known.suffix(7) + [location] : [location] + known.suffix(7)
        case AVAHI_BROWSER_REMOVE: known.removeAll { $0 == location }
        default: return
        }
        onChange()
    }

    func end() {
        close?()
        close = nil
        onChange = {}
    }
}

extension ServiceResolver.Key {
    /// Instance, type and domain as one name; nil when it is too long.
    var fullName: [CChar]? {
        var full = [CChar](repeating: 0, count: Int(AVAHI_DOMAIN_NAME_MAX))
        return avahi_service_name_join(&full, full.count, name, type, domain) == 0 ? full : nil
    }
}
