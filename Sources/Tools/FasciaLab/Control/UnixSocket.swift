import Foundation

enum UnixSocket {
    static func listen(at path: String) throws(LabError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system("cannot make a socket") }
        guard withAddress(path, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 16) == 0 else {
            let number = errno
            close(descriptor)
            throw .system("cannot listen at \(path)", number)
        }
        return descriptor
    }

    /// Nil when nobody listens there.
    static func connect(to path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard path.utf8.count < place.count else { return false }
            place.copyBytes(from: path.utf8)
            return true
        }
        guard fits else {
            errno = ENAMETOOLONG
            return -1
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
