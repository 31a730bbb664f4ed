import CNetlink
import Glibc

/// A UDP socket that talks to the mDNS group of IPv4 on one interface.
final class MulticastSocket {
    static let port: UInt16 = 5353
    private static let group: [UInt8] = [224, 0, 0, 251]
    let descriptor: Int32

    /// - Parameter sharesPort: whether to send from port 5353, beside responders that are there, and not from a port of its own.
    init?(on interface: MulticastInterface, sharesPort: Bool) {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var on: Int32 = 1, hops: Int32 = 255 // what other hops there were is how a forged packet from elsewhere shows
        var way = ip_mreqn()
        way.imr_ifindex = interface.index
        // Named, because on loopback the kernel would send from no address at all, which responders ignore.
        guard let source = interface.ipv4.first else {
            close(descriptor)
            return nil
        }
        withUnsafeMutableBytes(of: &way.imr_address) { $0.copyBytes(from: source) }
        let size = socklen_t(MemoryLayout<Int32>.size)
        var isReady = setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &way, socklen_t(MemoryLayout<ip_mreqn>.size)) == 0
            && setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_TTL, &hops, size) == 0
        if sharesPort {
            isReady = isReady && setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size) == 0
            _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, size)
        }
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_port = sharesPort ? Self.port.bigEndian : 0
        isReady = isReady && Self.with(&own) { bind(descriptor, $0, $1) } == 0
        guard isReady else {
            close(descriptor)
            return nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// To everybody.
    @discardableResult
    func send(_ message: [UInt8]) -> Bool {
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = Self.port.bigEndian
        withUnsafeMutableBytes(of: &target.sin_addr) { $0.copyBytes(from: Self.group) }
        return Self.with(&target) { sendto(descriptor, message, message.count, 0, $0, $1) } == message.count
    }

    /// The next datagram from a responder and who sent it; nil when there is none.
    func receive() -> (message: [UInt8], from: [UInt8])? {
        var buffer = [UInt8](repeating: 0, count: 9000)
        while true {
            var sender = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let count = withUnsafeMutableBytes(of: &sender) { raw in
                recvfrom(descriptor, &buffer, buffer.count, 0, raw.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard sender.sin_port == Self.port.bigEndian else { continue }
            return (Array(buffer[..<count]), withUnsafeBytes(of: sender.sin_addr) { Array($0) })
        }
    }

    private static func with<Result>(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        withUnsafeBytes(of: &address) { raw in raw.baseAddress.map { body($0.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count)) } }
    }
}
