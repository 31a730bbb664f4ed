import FasciaProcesses
import Foundation

/// A folder that one process builds into at a time. Who comes second waits and says so: going on without the build would be going on
/// with less than what was asked for.
final class BuildLock {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// - Parameters:
    ///   - path: of the lock's file.
    ///   - waiting: is called once, with the process that has it, if that is known.
    static func take(_ path: String, waiting: (Int32?) -> Void) async throws -> BuildLock {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ToolError("\(path): \(String(cString: strerror(errno)))") }
        let lock = BuildLock(descriptor)
        var hasTold = false
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw ToolError("\(path): \(String(cString: strerror(errno)))") }
            if !hasTold { waiting((try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int32($0) }) }
            hasTold = true
            try await Task.sleep(for: .milliseconds(500))
        }
        let own = "\(getpid())"
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, own, own.utf8.count, 0) }
        return lock
    }
}
