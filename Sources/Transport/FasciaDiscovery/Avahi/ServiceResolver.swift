import CAvahi
import Glibc

/// A library's functions for resolvers: `avahi_service_resolver_…` and `avahi_s_service_resolver_…` differ in name only, their record
/// browsers in what they tell.
struct ResolverFunctions {
    let open: (ServiceResolver.Key, AvahiServiceResolverCallback, _ context: UnsafeMutableRawPointer) -> OpaquePointer?
    let free: (OpaquePointer) -> Void
    let watch: (ServiceResolver.Key, LocationWatch) -> (() -> Void)?
}

/// Keeps one instance resolved: first answer, every change, and again after a failure.
final class ServiceResolver {
    /// What to resolve. The names' bytes are as they came, with their terminator: they need not be valid UTF-8.
    struct Key {
        let instance: ServiceInstance
        let name, type, domain: [CChar]
    }

    private let key: Key
    private let functions: ResolverFunctions
    private let loop: AvahiLoop
    private let handler: (MDNSEvent) -> Void
    private var resolver: OpaquePointer?
    private var retry: AvahiTimer?
    private let location: LocationWatch
    /// What the resolver said last.
    private var resolved: ResolvedService?

    init(_ key: Key, _ functions: ResolverFunctions, loop: AvahiLoop, handler: @escaping (MDNSEvent) -> Void) {
        self.key = key
        self.functions = functions
        self.loop = loop
        self.handler = handler
        location = LocationWatch { functions.watch(key, $0) }
        location.onChange = { [weak self] in self?.tell() }
        start()
    }

    /// What is known, at the newest port that its host has told.
    private func tell() {
        guard var service = resolved else { return }
        if let newest = location.known.last(where: { $0.host == service.hostName.lowercased() }) { service.port = newest.port }
        handler(.resolved(key.instance, service))
    }

    private func start() {
        resolver = functions.open(key, { _, interface, _, event, _, _, _, host, address, port, text, _, context in
            guard let context else { return }
            let this = Unmanaged<ServiceResolver>.fromOpaque(context).takeUnretainedValue()
            guard event == AVAHI_RESOLVER_FOUND else { return this.failed() }
            guard let service = ResolvedService(hostName: host, address: address, interface: interface, port: port, text: text) else { return }
            this.resolved = service
            this.tell()
        }, Unmanaged.passUnretained(self).toOpaque())
        if resolver == nil { failed() }
    }

    private func failed() {
        retry?.cancel()
        retry = loop.after(milliseconds: BrowseLimits.resolveRetryMilliseconds) { [weak self] in
            guard let self else { return }
            if let resolver { functions.free(resolver) }
            resolver = nil
            start()
        }
    }

    func close() {
        location.end()
        retry?.cancel()
        retry = nil
        if let resolver { functions.free(resolver) }
        resolver = nil
    }
}
