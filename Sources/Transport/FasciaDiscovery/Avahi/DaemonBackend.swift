import CAvahi

/// mDNS by the system's avahi-daemon, through D-Bus (avahi-client).
final class DaemonBackend: MDNSBackend {
    let kind = DiscoveryBackend.daemon
    private let avahi: AvahiClientLibrary
    private let loop: AvahiLoop
    private let interface: Int32
    private let handler: (MDNSEvent) -> Void
    private var client: OpaquePointer?
    private var group: OpaquePointer?
    private var browser: OpaquePointer?
    /// There while browsing.
    private var services: BrowsedServices?

    /// Fails when the daemon or D-Bus cannot be reached now.
    init(loop: AvahiLoop, interface: Int32, handler: @escaping (MDNSEvent) -> Void) throws(AvahiFailure) {
        let avahi = try AvahiLibraries.client.get()
        self.avahi = avahi
        self.loop = loop
        self.interface = interface
        self.handler = handler
        var failure: Int32 = 0
        let context = Unmanaged.passUnretained(self).toOpaque()
        let client = avahi.avahi_client_new(loop.poll, AvahiClientFlags(rawValue: 0), { _, state, context in
            guard let context else { return }
            Unmanaged<DaemonBackend>.fromOpaque(context).takeUnretainedValue().changed(to: state)
        }, context, &failure)
        guard let client else { throw AvahiFailure(code: failure) }
        self.client = client // nil until here: callbacks during creation are ignored and the state asked for afterwards
    }

    deinit { close() }

    var isRunning: Bool { client.map { avahi.avahi_client_get_state($0) == AVAHI_CLIENT_S_RUNNING } ?? false }

    var hostName: String? {
        guard isRunning, let client, let name = avahi.avahi_client_get_host_name_fqdn(client) else { return nil }
        return String(cString: name)
    }

    private func changed(to state: AvahiClientState) {
        guard let client else { return }
        switch state {
        case AVAHI_CLIENT_S_RUNNING: handler(.running)
        case AVAHI_CLIENT_S_COLLISION, AVAHI_CLIENT_S_REGISTERING:
            unpublish()
            handler(.paused)
        case AVAHI_CLIENT_FAILURE: handler(.failed(AvahiFailure(code: avahi.avahi_client_errno(client))))
        default: break
        }
    }

    // MARK: Announcing

    func publish(name: String, port: UInt16, text: ServiceText) throws(AvahiFailure) {
        guard let client else { throw AvahiFailure(code: Int32(AVAHI_ERR_BAD_STATE)) }
        if let group { _ = avahi.avahi_entry_group_reset(group) } else {
            group = avahi.avahi_entry_group_new(client, { _, state, context in
                guard let context else { return }
                Unmanaged<DaemonBackend>.fromOpaque(context).takeUnretainedValue().groupChanged(to: state)
            }, Unmanaged.passUnretained(self).toOpaque())
        }
        guard let group else { throw AvahiFailure(code: avahi.avahi_client_errno(client)) }
        let added = text.withAvahiList {
            avahi.avahi_entry_group_add_service_strlst(group, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), AVAHI_PUBLISH_NO_COOKIE, name,
                                                 Advertisement.serviceType, nil, nil, port, $0)
        }
        guard added == 0 else { throw AvahiFailure(code: added) }
        let committed = avahi.avahi_entry_group_commit(group)
        guard committed == 0 else { throw AvahiFailure(code: committed) }
    }

    func update(name: String, text: ServiceText) throws(AvahiFailure) {
        guard let group else { throw AvahiFailure(code: Int32(AVAHI_ERR_BAD_STATE)) }
        let result = text.withAvahiList {
            avahi.avahi_entry_group_update_service_txt_strlst(group, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), AVAHI_PUBLISH_NO_COOKIE, name,
                                                        Advertisement.serviceType, nil, $0)
        }
        guard result == 0 else { throw AvahiFailure(code: result) }
    }

    func unpublish() { if let group { _ = avahi.avahi_entry_group_reset(group) } }

    private func groupChanged(to state: AvahiEntryGroupState) {
        guard let client, let event = state.event(errorNumber: avahi.avahi_client_errno(client)) else { return }
        handler(event)
    }

    // MARK: Looking

    func browse() throws(AvahiFailure) {
        guard let client else { throw AvahiFailure(code: Int32(AVAHI_ERR_BAD_STATE)) }
        guard browser == nil else { return }
        let resolving = ResolverFunctions { [avahi] key, callback, context in
            avahi.avahi_service_resolver_new(
                client, key.instance.interface, key.instance.protocol, key.name, key.type, key.domain,
                key.instance.protocol, AvahiLookupFlags(rawValue: 0), callback, context)
        } free: { [avahi] in
            _ = avahi.avahi_service_resolver_free($0)
        } watch: { [avahi] key, watch in
            guard let name = key.fullName else { return nil }
            let browser = avahi.avahi_record_browser_new(
                client, key.instance.interface, key.instance.protocol, name, UInt16(AVAHI_DNS_CLASS_IN), UInt16(AVAHI_DNS_TYPE_SRV), AVAHI_LOOKUP_USE_MULTICAST,
                { _, _, _, event, _, _, _, data, size, _, context in
                    guard let context else { return }
                    let location = ServiceLocation(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size))
                    Unmanaged<LocationWatch>.fromOpaque(context).takeUnretainedValue().told(event, location)
                }, Unmanaged.passUnretained(watch).toOpaque())
            guard let browser else { return nil }
            return { _ = avahi.avahi_record_browser_free(browser) }
        }
        services = BrowsedServices(resolving, loop: loop, handler: handler)
        browser = avahi.avahi_service_browser_new(client, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), Advertisement.serviceType, nil,
                                            AvahiLookupFlags(rawValue: 0), { _, interface, proto, event, name, type, domain, _, context in
            guard let context else { return }
            Unmanaged<DaemonBackend>.fromOpaque(context).takeUnretainedValue().browsed(event, interface, proto, name, type, domain)
        }, Unmanaged.passUnretained(self).toOpaque())
        guard browser != nil else { throw AvahiFailure(code: avahi.avahi_client_errno(client)) }
    }

    private func browsed(_ event: AvahiBrowserEvent, _ interface: AvahiIfIndex, _ proto: AvahiProtocol, _ name: UnsafePointer<CChar>?,
                         _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?) {
        guard let client else { return }
        if event == AVAHI_BROWSER_FAILURE { return handler(.failed(AvahiFailure(code: avahi.avahi_client_errno(client)))) }
        services?.browsed(event, interface, proto, name, type, domain)
    }

    func close() {
        services?.close()
        services = nil
        if let browser { _ = avahi.avahi_service_browser_free(browser) }
        if let group { _ = avahi.avahi_entry_group_free(group) }
        if let client { avahi.avahi_client_free(client) }
        browser = nil
        group = nil
        client = nil
    }
}
