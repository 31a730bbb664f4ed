import CAvahi
import Glibc

/// A network interface mDNS can be done on, with the addresses a host announces there.
struct MulticastInterface: Equatable {
    let name: String
    let index: Int32
    /// In network byte order. Link-local ones only where there are no others of their kind, as Avahi has it.
    var ipv4: [[UInt8]] = []
    var ipv6: [[UInt8]] = []

    /// All that are up and can multicast, or the one named.
    static func all(only wanted: String?) -> [MulticastInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        let needed = UInt32(IFF_UP) | UInt32(IFF_RUNNING) | UInt32(IFF_MULTICAST)
        var found: [MulticastInterface] = []
        var entry = list
        while let current = entry?.pointee {
            entry = current.ifa_next
            let name = String(cString: current.ifa_name)
            guard let address = current.ifa_addr, current.ifa_flags & needed == needed, wanted == nil || wanted == name else { continue }
            if !found.contains(where: { $0.name == name }) { found.append(MulticastInterface(name: name, index: Int32(if_nametoindex(name)))) }
            let position = found.firstIndex { $0.name == name } ?? 0
            switch Int32(address.pointee.sa_family) {
            case AF_INET: found[position].ipv4.append(Array(UnsafeRawBufferPointer(start: address, count: MemoryLayout<sockaddr_in>.size)[4..<8]))
            case AF_INET6: found[position].ipv6.append(Array(UnsafeRawBufferPointer(start: address, count: MemoryLayout<sockaddr_in6>.size)[8..<24]))
            default: break
            }
        }
        return found.map { interface in
            var interface = interface
            interface.ipv4 = preferred(interface.ipv4) { $0.starts(with: [169, 254]) }
            interface.ipv6 = preferred(interface.ipv6) { $0[0] == 0xFE && $0[1] & 0xC0 == 0x80 }
            return interface
        }
    }

    private static func preferred(_ addresses: [[UInt8]], isLinkLocal: ([UInt8]) -> Bool) -> [[UInt8]] {
        let global = addresses.filter { !isLinkLocal($0) }
        return global.isEmpty ? addresses : global
    }
}
