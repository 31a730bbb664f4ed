import FasciaProcesses
import Glibc

/// A TCP socket that never waits longer than it is told to.
package final class PlainSocket {
    /// The peer's connection is over.
    package enum Ended: Error, Equatable {
        case fin
        case reset
    }

    package let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
        signal(SIGPIPE, SIG_IGN) // OpenSSL writes without MSG_NOSIGNAL
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Ends the connection as a crashed machine does.
    package func reset() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Waits until the socket can be read (or written); false when the time is over.
    package func wait(forWriting: Bool = false, until deadline: ContinuousClock.Instant) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(forWriting ? POLLOUT : POLLIN), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            let milliseconds = Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
            let result = poll(&entry, 1, milliseconds)
            if result > 0 { return true }
            if result < 0, errno != EINTR { return true } // the next call on it says what is wrong
        }
    }

    /// Whether the peer ends it in that time, whatever it says before.
    package func ends(within limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while wait(until: deadline) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return true }
        }
        return false
    }

    // MARK: Making

    package static func connect(to address: Endpoint, within limit: Duration) throws -> PlainSocket {
        try address.resolve { info in
            let descriptor = socket(info.pointee.ai_family, info.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw ToolError("no socket: \(text(errno))") }
            let result = PlainSocket(descriptor: descriptor)
            guard Glibc.connect(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) != 0 else { return result }
            guard errno == EINPROGRESS, result.wait(forWriting: true, until: .now + limit) else { throw ToolError("cannot connect to \(address): \(text(errno == EINPROGRESS ? ETIMEDOUT : errno))") }
            var error: Int32 = 0, size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
            guard error == 0 else { throw ToolError("cannot connect to \(address): \(text(error))") }
            return result
        }
    }

    package static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// Waits for connections.
package final class ListeningSocket {
    private let socket: PlainSocket

    package init(_ address: Endpoint) throws {
        socket = try address.resolve { info in
            let descriptor = Glibc.socket(info.pointee.ai_family, info.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
            guard bind(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0, listen(descriptor, 64) == 0 else {
                defer { close(descriptor) }
                throw ToolError("cannot listen on \(address): \(PlainSocket.text(errno))")
            }
            return PlainSocket(descriptor: descriptor)
        }
    }

    /// Nil when nobody came in time.
    package func accept(within limit: Duration) -> PlainSocket? {
        let deadline = ContinuousClock.now + limit
        while socket.wait(until: deadline) {
            let descriptor = Glibc.accept(socket.descriptor, nil, nil)
            if descriptor >= 0 { return PlainSocket(descriptor: descriptor) }
        }
        return nil
    }
}

/// Host and port.
package struct Endpoint: Sendable, CustomStringConvertible {
    package let host: String
    package let port: UInt16

    /// `HOST:PORT`, an IPv6 host in brackets; nil for anything else.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { return nil }
        (self.host, self.port) = (host, port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    package func resolve<Value>(_ body: (UnsafeMutablePointer<addrinfo>) throws -> Value) throws -> Value {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, "\(port)", &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0, let list else { throw ToolError("\(host) is no address: \(String(cString: gai_strerror(status)))") }
        return try body(list)
    }
}
