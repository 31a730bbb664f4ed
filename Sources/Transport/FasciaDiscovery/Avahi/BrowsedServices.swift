import CAvahi
import Glibc

/// What a backend's browser has found, each instance kept resolved while it is there.
final class BrowsedServices {
    private let functions: ResolverFunctions
    private let loop: AvahiLoop
    private let handler: (MDNSEvent) -> Void
    private var resolvers: [ServiceInstance: ServiceResolver] = [:]

    init(_ functions: ResolverFunctions, loop: AvahiLoop, handler: @escaping (MDNSEvent) -> Void) {
        self.functions = functions
        self.loop = loop
        self.handler = handler
    }

    /// An event of the browser, other than its failure.
    func browsed(_ event: AvahiBrowserEvent, _ interface: AvahiIfIndex, _ proto: AvahiProtocol, _ name: UnsafePointer<CChar>?,
                 _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?) {
        guard let name, let type, let domain else { return }
        let instance = ServiceInstance(name: String(cString: name), interface: interface, protocol: proto)
        switch event {
        case AVAHI_BROWSER_NEW:
            guard resolvers[instance] == nil, resolvers.count < BrowseLimits.maximumInstances else { return }
            let key = ServiceResolver.Key(instance: instance, name: copy(name), type: copy(type), domain: copy(domain))
            resolvers[instance] = ServiceResolver(key, functions, loop: loop, handler: handler)
        case AVAHI_BROWSER_REMOVE:
            guard let resolver = resolvers.removeValue(forKey: instance) else { return }
            resolver.close()
            handler(.disappeared(instance))
        default: break
        }
    }

    func close() {
        for resolver in resolvers.values { resolver.close() }
        resolvers = [:]
    }

    /// The bytes of a C string with its terminator.
    private func copy(_ string: UnsafePointer<CChar>) -> [CChar] { [CChar](UnsafeBufferPointer(start: string, count: strlen(string) + 1)) }
}
