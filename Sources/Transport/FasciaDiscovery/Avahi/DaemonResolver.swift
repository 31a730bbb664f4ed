import CAvahi
import Glibc

/// Keeps one instance resolved through the daemon: first answer, every change, and again after a failure.
final class DaemonResolver {
    private let client: OpaquePointer
    private let avahi: AvahiClientLibrary
    private let loop: AvahiLoop
    private let instance: ServiceInstance
    private let name, type, domain: [CChar]
    private let handler: (MDNSEvent) -> Void
    private var resolver: OpaquePointer?
    private var retry: AvahiTimer?

    init(avahi: AvahiClientLibrary, client: OpaquePointer, loop: AvahiLoop, instance: ServiceInstance, name: UnsafePointer<CChar>, type: UnsafePointer<CChar>,
         domain: UnsafePointer<CChar>, handler: @escaping (MDNSEvent) -> Void) {
        self.client = client
        self.avahi = avahi
        self.loop = loop
        self.instance = instance
        (self.name, self.type, self.domain) = (copy(name), copy(type), copy(domain)) // the bytes as they are: names need not be valid UTF-8
        self.handler = handler
        start()
    }

    private func start() {
        resolver = avahi.avahi_service_resolver_new(client, instance.interface, instance.protocol, name, type, domain, instance.protocol,
                                              AvahiLookupFlags(rawValue: 0), { _, interface, _, event, _, _, _, host, address, port, text, _, context in
            guard let context else { return }
            let this = Unmanaged<DaemonResolver>.fromOpaque(context).takeUnretainedValue()
            guard event == AVAHI_RESOLVER_FOUND else { return this.failed() }
            guard let service = ResolvedService(hostName: host, address: address, interface: interface, port: port, text: text) else { return }
            this.handler(.resolved(this.instance, service))
        }, Unmanaged.passUnretained(self).toOpaque())
        if resolver == nil { failed() }
    }

    private func failed() {
        retry?.cancel()
        retry = loop.after(milliseconds: BrowseLimits.resolveRetryMilliseconds) { [weak self] in
            guard let self else { return }
            if let resolver { _ = avahi.avahi_service_resolver_free(resolver) }
            resolver = nil
            start()
        }
    }

    func close() {
        retry?.cancel()
        retry = nil
        if let resolver { _ = avahi.avahi_service_resolver_free(resolver) }
        resolver = nil
    }
}

/// The bytes of a C string with its terminator.
func copy(_ string: UnsafePointer<CChar>) -> [CChar] { [CChar](UnsafeBufferPointer(start: string, count: strlen(string) + 1)) }
