import CNetlink
import Glibc

/// The way a link takes out of this machine: its interface and the address it has there.
public struct LinkPath: Sendable, Equatable {
    public let interface: String
    /// Numeric, without scope.
    public let address: String

    public init(interface: String, address: String) {
        self.interface = interface
        self.address = address
    }

    /// The way to a peer, by asking the kernel's routes: an unsent datagram is bound to the address it would leave from.
    /// - Parameter peer: a numeric address, link-local ones with their scope; nil when there is no way to it.
    public init?(to peer: String) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(peer, "9", &hints, &list) == 0, let target = list else { return nil }
        defer { freeaddrinfo(list) }
        let probe = socket(target.pointee.ai_family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return nil }
        defer { close(probe) }
        guard connect(probe, target.pointee.ai_addr, target.pointee.ai_addrlen) == 0 else { return nil }
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = withUnsafeMutableBytes(of: &storage) { raw in
            raw.baseAddress.map { getsockname(probe, $0.assumingMemoryBound(to: sockaddr.self), &size) } ?? -1
        }
        guard named == 0, let local = withUnsafeBytes(of: &storage, Self.address) else { return nil }
        self.init(local: local)
    }

    /// The interface that has an address of this machine.
    private init?(local: [UInt8]) {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var entry = list
        while let current = entry {
            entry = current.pointee.ifa_next
            guard let address = current.pointee.ifa_addr else { continue }
            let size = address.pointee.sa_family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            if Self.address(UnsafeRawBufferPointer(start: address, count: size)) == local {
                self.init(interface: String(cString: current.pointee.ifa_name), address: InterfaceTable.text(local))
                return
            }
        }
        return nil
    }

    /// An IPv4 address mapped into IPv6 is the IPv4 one.
    private static func address(_ raw: UnsafeRawBufferPointer) -> [UInt8]? {
        guard raw.count >= MemoryLayout<sockaddr_in>.size else { return nil }
        switch Int32(raw.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET: return Array(raw[4..<8])
        case AF_INET6 where raw.count >= MemoryLayout<sockaddr_in6>.size:
            let bytes = Array(raw[8..<24])
            return bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) ? Array(bytes[12...]) : bytes
        default: return nil
        }
    }

    /// Whether what was seen says that this way may be closed.
    public func isHurt(by kind: EvidenceEvent.Kind) -> Bool {
        switch kind {
        case .carrierLost(let interface): interface == self.interface
        case .addressLost(let address, let interface): interface == self.interface && address == self.address
        case .powerLost: true
        case .carrierBack, .addressAdded, .powerBack, .clockStepped: false
        }
    }
}
