import FasciaProcesses
import Foundation

/// TCP on loopback, blocking.
enum Socket {
    /// Connects, sends what the peer takes, and closes.
    static func send(_ data: Data, toLoopbackPort port: Int) throws {
        let descriptor = try connect(toLoopbackPort: port)
        defer { close(descriptor) }
        _ = data.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// - Returns: a descriptor of the caller's.
    static func connect(toLoopbackPort port: Int) throws -> Int32 {
        let descriptor = try make()
        var address = loopback(port)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard connected == 0 else {
            defer { close(descriptor) }
            throw ToolError("connect: \(errno)")
        }
        return descriptor
    }

    /// - Returns: a descriptor of the caller's, and the port it got.
    static func listen() throws -> (descriptor: Int32, port: Int) {
        let descriptor = try make()
        var address = loopback(0), length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0 }
        }
        guard isBound, Foundation.listen(descriptor, 16) == 0 else {
            defer { close(descriptor) }
            throw ToolError("listen: \(errno)")
        }
        return (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
    }

    private static func make() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ToolError("socket: \(errno)") }
        return descriptor
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}
