import FasciaProcesses
import Foundation

/// A service manager's socket: the messages of one program, in order.
final class NotifySocket {
    /// The value of NOTIFY_SOCKET.
    let name: String
    private let descriptor: Int32
    private(set) var messages: [String] = []

    init(in directory: String, abstract: Bool) throws {
        name = (abstract ? "@" : "") + "\(directory)/notify"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if abstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)) }
        }
        guard bound == 0 else { throw ToolError("bind \(name): \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Takes messages up to this one.
    func wait(for message: String) throws {
        repeat {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw ToolError("no \(message) after \(messages)") }
            messages.append(String(decoding: buffer[0 ..< count], as: UTF8.self))
        } while messages.last != message
    }
}
