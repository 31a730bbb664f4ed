import Glibc

/// Where the service manager listens, and how to tell it something: datagrams of `NAME=value` lines, sd_notify(3).
///
/// Own code instead of libsystemd, which offers the same in one call: the protocol is stable by promise and its manual page gives an
/// implementation of this size to copy for this purpose, while linking the library loads five more (gcrypt, lzma, ...), 1.1 MB of
/// resident memory in each of two programs whose memory is measured.
struct NotifySocket: Sendable {
    private let address: [UInt8]

    /// - Parameter name: the value of `NOTIFY_SOCKET`: a path, or `@` and a name in the abstract namespace. Nil for another kind or one that is too long.
    init?(name: String) {
        var bytes = Array(name.utf8)
        let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        guard let first = bytes.first, bytes.count > 1, bytes.count < longest, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        address = bytes
    }

    /// Sends once, without waiting: a service manager that does not read is no reason to stop. - Returns: false if it was not taken.
    @discardableResult
    func send(_ message: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
        // Of an abstract name the length is part, of a path it may stop before the zero.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
        let text = Array(message.utf8)
        let sent = withUnsafePointer(to: target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, length) }
        }
        return sent == text.count
    }
}
