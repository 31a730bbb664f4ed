import FasciaProcesses
import Foundation

/// Blocking TCP sockets on IPv4, without delayed sends.
enum BlockingSocket {
    /// - Returns: a listening socket and its port.
    static func listen(host: String) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(host, port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard bound else { throw failure("listening on \(host)", descriptor) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    static func accept(_ listener: Int32) throws -> Int32 { try ready(Glibc.accept(listener, nil, nil), "accepting") }

    static func connect(host: String, port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(host, port: port)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard connected == 0 else { throw failure("connecting to \(host)", descriptor) }
        return try ready(descriptor, "connecting")
    }

    private static func ready(_ descriptor: Int32, _ what: String) throws -> Int32 {
        guard descriptor >= 0 else { throw failure(what, descriptor) }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }

    private static func address(_ host: String, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return address
    }

    private static func failure(_ what: String, _ descriptor: Int32) -> ToolError {
        let error = ToolError("yardstick: \(what) failed: \(String(cString: strerror(errno)))")
        if descriptor >= 0 { close(descriptor) }
        return error
    }
}
