import CAvahi
import Glibc

extension ServiceText {
    /// Copies a list Avahi owns; a record is at most one DNS packet, and the list is cut after the entries that are kept.
    init(_ list: UnsafeMutablePointer<AvahiStringList>?) {
        var entries: [[UInt8]] = []
        var node = list
        while let current = node, entries.count < Self.maximumEntries {
            if let text = avahi_string_list_get_text(current) {
                entries.append([UInt8](UnsafeBufferPointer(start: text, count: avahi_string_list_get_size(current))))
            }
            node = avahi_string_list_get_next(current)
        }
        self.init(entries: entries)
    }

    /// Calls `body` with an Avahi list of the entries, freed afterwards. Avahi keeps such lists back to front: on the wire they are in order,
    /// as `EarlyAnnouncement` writes them.
    func withAvahiList<Result>(_ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result) -> Result {
        var list: UnsafeMutablePointer<AvahiStringList>?
        for entry in entries { list = avahi_string_list_add_arbitrary(list, entry, entry.count) }
        defer { avahi_string_list_free(list) }
        return body(list)
    }
}

extension ResolvedService {
    init?(hostName: UnsafePointer<CChar>?, address: UnsafePointer<AvahiAddress>?, interface: Int32, port: UInt16,
          text: UnsafeMutablePointer<AvahiStringList>?) {
        guard let hostName, let address, port != 0 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
        guard avahi_address_snprint(&buffer, buffer.count, address) != nil else { return nil }
        var numeric = buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        let isIPv4 = address.pointee.proto == AVAHI_PROTO_INET
        if !isIPv4, numeric.lowercased().hasPrefix("fe80:") { // link-local: useless without its interface
            var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
            guard let scope = if_indextoname(UInt32(interface), &name) else { return nil }
            numeric += "%" + String(cString: scope)
        }
        self.init(hostName: String(cString: hostName), address: numeric, isIPv4: isIPv4, port: port, text: ServiceText(text))
    }
}

extension AvahiEntryGroupState {
    /// What becomes of an announcement; nil while it is under way.
    func event(errorNumber: @autoclosure () -> Int32) -> MDNSEvent? {
        switch self {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: .established
        case AVAHI_ENTRY_GROUP_COLLISION: .collision
        case AVAHI_ENTRY_GROUP_FAILURE: .failed(AvahiFailure(code: errorNumber()))
        default: nil
        }
    }
}

extension ServiceName {
    /// "Fascia" -> "Fascia #2" -> "Fascia #3".
    static func alternative(to name: String) -> String {
        guard let text = avahi_alternative_service_name(name) else { return legal(name + " 2") }
        defer { avahi_free(text) }
        return String(cString: text)
    }
}

/// The index of an interface, `AVAHI_IF_UNSPEC` for none given.
func interfaceIndex(_ name: String?) throws(DiscoveryError) -> Int32 {
    guard let name else { return Int32(AVAHI_IF_UNSPEC) }
    let index = if_nametoindex(name)
    guard index > 0 else { throw .noSuchInterface(name) }
    return Int32(index)
}
