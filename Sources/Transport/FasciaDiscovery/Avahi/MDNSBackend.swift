import CAvahi

/// What discovery needs of Avahi, whichever way it is reached. Confined to the avahi thread; events are delivered from
/// inside C callbacks, so a handler must not `close` the backend there (`AvahiLoop.later`).
protocol MDNSBackend: AnyObject {
    var kind: DiscoveryBackend { get }
    /// Whether records can be added and looked up now.
    var isRunning: Bool { get }
    /// The fully qualified host name that what is published points to; nil when there is none (yet).
    var hostName: String? { get }
    /// Starts announcing; `.established` or `.collision` follows. Replaces what this backend announced before.
    func publish(name: String, port: UInt16, text: ServiceText) throws(AvahiFailure)
    /// Changes the TXT record of what is announced.
    func update(name: String, text: ServiceText) throws(AvahiFailure)
    /// Stops announcing.
    func unpublish()
    /// Starts looking; `.appeared`, `.resolved` and `.disappeared` follow.
    func browse() throws(AvahiFailure)
    /// Frees every C object; no event follows.
    func close()
}

enum MDNSEvent {
    /// Records can be added and looked up.
    case running
    /// They cannot for the moment (host name being claimed); `.running` follows.
    case paused
    /// The backend is dead and must be closed.
    case failed(AvahiFailure)
    /// What was published is announced under the name given.
    case established
    /// Another host has the name.
    case collision
    case resolved(ServiceInstance, ResolvedService)
    case disappeared(ServiceInstance)
}

/// A service as seen on one interface with one protocol.
struct ServiceInstance: Hashable {
    var name: String
    var interface: Int32
    var `protocol`: Int32
}

/// Where one instance can be reached.
struct ResolvedService: Equatable {
    var hostName: String
    var address: String
    var isIPv4: Bool
    var port: UInt16
    var text: ServiceText
}

/// An Avahi error number and its meaning.
struct AvahiFailure: Error, Equatable {
    var code: Int32
    var text: String

    init(code: Int32, text: String? = nil) {
        self.code = code
        self.text = text ?? String(cString: avahi_strerror(code))
    }

    /// The service name is taken, on this host.
    var isCollision: Bool { code == Int32(AVAHI_ERR_COLLISION) }
}
