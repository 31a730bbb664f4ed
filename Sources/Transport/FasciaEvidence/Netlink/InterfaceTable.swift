import Glibc

/// The interfaces and addresses of the machine as netlink told them, and what each message changes. No I/O.
package struct InterfaceTable {
    /// Bound on what is kept; a machine has a handful.
    package static let maximumInterfaces = 1024
    package static let maximumAddresses = 256

    private struct Interface {
        var name: String
        var isUp: Bool
        var addresses: [[UInt8]] = []
    }

    private var interfaces: [Int32: Interface] = [:]
    /// Indexes and addresses heard of since a dump began; what is not among them at its end is gone.
    private var seen: [Int32: Set<[UInt8]>]?

    package init() {}

    /// Takes a message in; what it changes, none when it says what was known.
    package mutating func apply(_ message: NetlinkMessage) -> [EvidenceEvent.Kind] {
        switch message {
        case .link(let index, let name, let isUp):
            seen?[index, default: []].formUnion([])
            let known = interfaces[index]
            guard known != nil || interfaces.count < Self.maximumInterfaces else { return [] }
            interfaces[index, default: Interface(name: name, isUp: isUp)].name = name
            interfaces[index]?.isUp = isUp
            if isUp, known?.isUp != true { return [.carrierBack(interface: name)] }
            if !isUp, known?.isUp == true { return [.carrierLost(interface: name)] }
            return []
        case .linkGone(let index):
            guard let gone = interfaces.removeValue(forKey: index) else { return [] }
            seen?[index] = nil
            return gone.addresses.map { .addressLost(address: Self.text($0), interface: gone.name) } + (gone.isUp ? [.carrierLost(interface: gone.name)] : [])
        case .address(let index, let bytes):
            guard let interface = interfaces[index] else { return [] }
            seen?[index, default: []].insert(bytes)
            guard !interface.addresses.contains(bytes), interface.addresses.count < Self.maximumAddresses else { return [] }
            interfaces[index]?.addresses.append(bytes)
            return [.addressAdded(address: Self.text(bytes), interface: interface.name)]
        case .addressGone(let index, let bytes):
            guard let interface = interfaces[index], interface.addresses.contains(bytes) else { return [] }
            interfaces[index]?.addresses.removeAll { $0 == bytes }
            seen?[index]?.remove(bytes)
            return [.addressLost(address: Self.text(bytes), interface: interface.name)]
        case .done, .failed, .interrupted: return []
        }
    }

    /// Links and then addresses are about to be listed anew.
    package mutating func beginDump() { seen = [:] }

    /// The list is complete: what was not in it is gone.
    package mutating func endDump() -> [EvidenceEvent.Kind] {
        guard let listed = seen else { return [] }
        seen = nil
        var changes: [EvidenceEvent.Kind] = []
        for (index, interface) in interfaces.sorted(by: { $0.key < $1.key }) {
            guard let addresses = listed[index] else {
                changes += apply(.linkGone(index: index))
                continue
            }
            for address in interface.addresses where !addresses.contains(address) { changes += apply(.addressGone(index: index, bytes: address)) }
        }
        return changes
    }

    static func text(_ address: [UInt8]) -> String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, &buffer, socklen_t(buffer.count)) != nil else { return "?" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
