import CAvahi

/// mDNS by avahi-core inside this process: no daemon, no D-Bus. Shares UDP port 5353 with other responders.
final class EmbeddedBackend: MDNSBackend {
    let kind = DiscoveryBackend.embedded
    private let avahi: AvahiCoreLibrary
    private let loop: AvahiLoop
    private let interface: Int32
    private let handler: (MDNSEvent) -> Void
    private var server: OpaquePointer?
    private var group: OpaquePointer?
    /// The host's name and addresses; nil while only browsing.
    private var host: EmbeddedHost?
    private var browser: OpaquePointer?
    /// There while browsing.
    private var services: BrowsedServices?

    /// - Parameter hostLabel: this host's name, without domain; nil when nothing will be published. Not the system's name: that one is
    ///   not known to be unique, and may be announced by a daemon beside.
    init(loop: AvahiLoop, interface: Int32, interfaceName: String?, hostLabel: String?, handler: @escaping (MDNSEvent) -> Void) throws(AvahiFailure) {
        let avahi = try AvahiLibraries.core.get()
        self.avahi = avahi
        self.loop = loop
        self.interface = interface
        self.handler = handler
        avahi.avahi_set_log_function { _, _ in } // what matters comes back as an error number
        var config = AvahiServerConfig()
        _ = avahi.avahi_server_config_init(&config)
        defer { avahi.avahi_server_config_free(&config) }
        config.publish_hinfo = 0
        config.publish_workstation = 0
        config.publish_domain = 0
        config.publish_addresses = 0 // with them avahi-core publishes reverse records, which a daemon beside has too: see EmbeddedHost
        config.enable_wide_area = 0
        config.allow_point_to_point = 1
        if let interfaceName { config.allow_interfaces = avahi_string_list_add(config.allow_interfaces, interfaceName) }
        var failure: Int32 = 0
        let server = avahi.avahi_server_new(loop.poll, &config, { _, state, context in
            guard let context else { return }
            Unmanaged<EmbeddedBackend>.fromOpaque(context).takeUnretainedValue().changed(to: state)
        }, Unmanaged.passUnretained(self).toOpaque(), &failure)
        guard let server else { throw AvahiFailure(code: failure) }
        self.server = server // nil until here: callbacks during creation are ignored and the state asked for afterwards
        if let hostLabel {
            host = EmbeddedHost(avahi, server: server, loop: loop, label: hostLabel, interface: interfaceName) { [weak self] event in self?.hostChanged(event) }
        }
    }

    deinit { close() }

    var isRunning: Bool { server.map { avahi.avahi_server_get_state($0) == AVAHI_SERVER_RUNNING } ?? false }

    private func changed(to state: AvahiServerState) {
        guard let server else { return }
        switch state {
        case AVAHI_SERVER_RUNNING: handler(.running)
        case AVAHI_SERVER_REGISTERING, AVAHI_SERVER_COLLISION: break // it has no records of its own
        case AVAHI_SERVER_FAILURE: handler(.failed(AvahiFailure(code: avahi.avahi_server_errno(server))))
        default: break
        }
    }

    var hostName: String? { host?.name }

    /// Another host has the name: what is announced points nowhere until it is announced anew.
    private func hostChanged(_ event: EmbeddedHost.Event) {
        switch event {
        case .renamed:
            unpublish()
            handler(.paused)
            handler(.running)
        case .failed(let failure): handler(.failed(failure))
        }
    }

    // MARK: Announcing

    func publish(name: String, port: UInt16, text: ServiceText) throws(AvahiFailure) {
        guard let server else { throw AvahiFailure(code: Int32(AVAHI_ERR_BAD_STATE)) }
        if let group { avahi.avahi_s_entry_group_reset(group) } else {
            group = avahi.avahi_s_entry_group_new(server, { _, _, state, context in
                guard let context else { return }
                Unmanaged<EmbeddedBackend>.fromOpaque(context).takeUnretainedValue().groupChanged(to: state)
            }, Unmanaged.passUnretained(self).toOpaque())
        }
        guard let group else { throw AvahiFailure(code: avahi.avahi_server_errno(server)) }
        let added = text.withAvahiList {
            avahi.avahi_server_add_service_strlst(server, group, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), AVAHI_PUBLISH_NO_COOKIE, name,
                                            Advertisement.serviceType, nil, host?.name, port, $0)
        }
        guard added == 0 else { throw AvahiFailure(code: added) }
        let committed = avahi.avahi_s_entry_group_commit(group)
        guard committed == 0 else { throw AvahiFailure(code: committed) }
    }

    func update(name: String, text: ServiceText) throws(AvahiFailure) {
        guard let server, let group else { throw AvahiFailure(code: Int32(AVAHI_ERR_BAD_STATE)) }
        let result = text.withAvahiList {
            avahi.avahi_server_update_service_txt_strlst(server, group, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), AVAHI_PUBLISH_NO_COOKIE, name,
                                                   Advertisement.serviceType, nil, $0)
        }
        guard result == 0 else { throw AvahiFailure(code: result) }
    }

    func unpublish() { if let group { avahi.avahi_s_entry_group_reset(group) } }

    private func groupChanged(to state: AvahiEntryGroupState) {
        guard let server, let event = state.event(errorNumber: avahi.avahi_server_errno(server)) else { return }
        handler(event)
    }

    // MARK: Looking

    func browse() throws(AvahiFailure) {
        guard let server else { throw AvahiFailure(code: Int32(AVAHI_ERR_BAD_STATE)) }
        guard browser == nil else { return }
        let resolving = ResolverFunctions { [avahi] key, callback, context in
            avahi.avahi_s_service_resolver_new(
                server, key.instance.interface, key.instance.protocol, key.name, key.type, key.domain,
                key.instance.protocol, AvahiLookupFlags(rawValue: 0), callback, context)
        } free: { [avahi] in
            avahi.avahi_s_service_resolver_free($0)
        } watch: { [avahi] key, watch in
            guard let name = key.fullName, let question = avahi.avahi_key_new(name, UInt16(AVAHI_DNS_CLASS_IN), UInt16(AVAHI_DNS_TYPE_SRV)) else { return nil }
            defer { avahi.avahi_key_unref(question) }
            let browser = avahi.avahi_s_record_browser_new(
                server, key.instance.interface, key.instance.protocol, question, AVAHI_LOOKUP_USE_MULTICAST, { _, _, _, event, record, _, context in
                    guard let context else { return }
                    let location = record.flatMap { record in
                        record.pointee.data.srv.name.map { ServiceLocation(port: record.pointee.data.srv.port, host: String(cString: $0)) }
                    }
                    Unmanaged<LocationWatch>.fromOpaque(context).takeUnretainedValue().told(event, location)
                }, Unmanaged.passUnretained(watch).toOpaque())
            guard let browser else { return nil }
            return { avahi.avahi_s_record_browser_free(browser) }
        }
        services = BrowsedServices(resolving, loop: loop, handler: handler)
        browser = avahi.avahi_s_service_browser_new(server, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), Advertisement.serviceType, nil,
                                              AvahiLookupFlags(rawValue: 0), { _, interface, proto, event, name, type, domain, _, context in
            guard let context else { return }
            Unmanaged<EmbeddedBackend>.fromOpaque(context).takeUnretainedValue().browsed(event, interface, proto, name, type, domain)
        }, Unmanaged.passUnretained(self).toOpaque())
        guard browser != nil else { throw AvahiFailure(code: avahi.avahi_server_errno(server)) }
    }

    private func browsed(_ event: AvahiBrowserEvent, _ interface: AvahiIfIndex, _ proto: AvahiProtocol, _ name: UnsafePointer<CChar>?,
                         _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?) {
        guard let server else { return }
        if event == AVAHI_BROWSER_FAILURE { return handler(.failed(AvahiFailure(code: avahi.avahi_server_errno(server)))) }
        services?.browsed(event, interface, proto, name, type, domain)
    }

    func close() {
        services?.close()
        services = nil
        if let browser { avahi.avahi_s_service_browser_free(browser) }
        if let group { avahi.avahi_s_entry_group_free(group) }
        host?.close()
        host = nil
        if let server { avahi.avahi_server_free(server) }
        browser = nil
        group = nil
        server = nil
    }
}
