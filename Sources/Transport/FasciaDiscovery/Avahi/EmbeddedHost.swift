import CAvahi
import FasciaEvidence
import Glibc

/// The host records of an embedded responder: a name of its own and the addresses of this machine under it, kept current. No
/// reverse records, so that a daemon on the same machine, which has them, is no rival. Confined to the avahi thread.
final class EmbeddedHost {
    enum Event {
        /// Another host has the name; there is a new one.
        case renamed
        case failed(AvahiFailure)
    }

    private let avahi: AvahiCoreLibrary
    private let server: OpaquePointer
    private let loop: AvahiLoop
    private let interface: String?
    private let handler: (Event) -> Void
    private var label: String
    private var group: OpaquePointer?
    private var published: [MulticastInterface] = []
    private let changes = InterfaceWatch()
    private var watch: AvahiReadWatch?

    init(_ avahi: AvahiCoreLibrary, server: OpaquePointer, loop: AvahiLoop, label: String, interface: String?, handler: @escaping (Event) -> Void) {
        self.avahi = avahi
        self.server = server
        self.loop = loop
        self.label = label
        self.interface = interface
        self.handler = handler
        if let changes {
            watch = loop.watch(changes.descriptor) { [weak self] in if !changes.read().isEmpty { self?.publish() } }
        }
        publish()
    }

    var name: String { label + ".local" }

    func close() {
        watch?.cancel()
        watch = nil
        if let group { avahi.avahi_s_entry_group_free(group) }
        group = nil
    }

    /// Does nothing while the addresses are the same as before.
    private func publish() {
        let interfaces = MulticastInterface.all(only: interface)
        guard interfaces != published else { return }
        published = interfaces
        if let group { avahi.avahi_s_entry_group_reset(group) } else {
            group = avahi.avahi_s_entry_group_new(server, { _, _, state, context in
                guard let context else { return }
                Unmanaged<EmbeddedHost>.fromOpaque(context).takeUnretainedValue().changed(to: state)
            }, Unmanaged.passUnretained(self).toOpaque())
        }
        guard let group else { return }
        for interface in interfaces {
            for address in interface.ipv4 { add(address, to: group, on: interface.index) }
            for address in interface.ipv6 { add(address, to: group, on: interface.index) }
        }
        if avahi.avahi_s_entry_group_is_empty(group) == 0 { _ = avahi.avahi_s_entry_group_commit(group) }
    }

    private func add(_ bytes: [UInt8], to group: OpaquePointer, on index: Int32) {
        var address = AvahiAddress()
        address.proto = AvahiProtocol(bytes.count == 4 ? AVAHI_PROTO_INET : AVAHI_PROTO_INET6)
        withUnsafeMutableBytes(of: &address.data) { $0.copyBytes(from: bytes) }
        // IPv4 addresses are told over IPv4 only, IPv6 ones over both: Avahi's own default.
        let over = AvahiProtocol(bytes.count == 4 ? AVAHI_PROTO_INET : AVAHI_PROTO_UNSPEC)
        _ = avahi.avahi_server_add_address(server, group, index, over, AVAHI_PUBLISH_NO_REVERSE, name, &address)
    }

    private func changed(to state: AvahiEntryGroupState) {
        guard let event = state.event(errorNumber: avahi.avahi_server_errno(server)) else { return }
        switch event {
        case .collision: loop.later { [weak self] in self?.takeAnotherName() } // the group is told of by its own callback
        case .failed(let failure): handler(.failed(failure))
        default: break
        }
    }

    private func takeAnotherName() {
        guard group != nil, let other = avahi_alternative_host_name(label) else { return }
        defer { avahi_free(other) }
        label = String(cString: other)
        published = []
        publish()
        handler(.renamed)
    }
}
