import Foundation

/// Where a lab keeps its things.
struct LabPlace: Sendable {
    static let root = "/run/fascia-lab"

    let name: String
    var directory: String { "\(Self.root)/\(name)" }
    /// Locked by the link as long as it lives.
    var lock: String { "\(Self.root)/\(name).lock" }
    var socket: String { directory + "/link" }
    var log: String { directory + "/link.log" }
    var state: String { directory + "/state.json" }
    func directory(of host: LabHost) -> String { "\(directory)/\(host.rawValue)" }
    func dbus(_ host: LabHost) -> String { directory(of: host) + "/dbus" }
    func avahi(_ host: LabHost) -> String { directory(of: host) + "/avahi-daemon" }

    /// - Throws: `wrongName`: it becomes part of paths and of socket addresses, which are short.
    init(name: String) throws(LabError) {
        let allowed = name.utf8.allSatisfy { ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2d || $0 == 0x5f }
        guard allowed, (1...40).contains(name.utf8.count) else {
            throw LabError(.wrongName, "\"\(name)\" is no name of a lab: letters, digits, - and _, at most 40")
        }
        self.name = name
    }

    /// The lock, taken; nil when another process has it.
    func takeLock() throws(LabError) -> Int32? {
        guard mkdir(Self.root, 0o755) == 0 || errno == EEXIST else { throw .system("cannot make \(Self.root)") }
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("cannot open \(lock)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            if number == EWOULDBLOCK { return nil }
            throw .system("cannot lock \(lock)", number)
        }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_nlink > 0 else { // removed by its last holder meanwhile
            close(descriptor)
            return try takeLock()
        }
        return descriptor
    }

    func releaseLock(_ descriptor: Int32) {
        unlink(lock)
        close(descriptor)
    }

    func removeDirectory() { try? FileManager.default.removeItem(atPath: directory) }
}
