import Foundation
import Synchronization

/// Resident memory of another process, looked at again and again.
final class ResidentMemory: Sendable {
    private let pid: Int32
    private let peakSeen = Mutex(0)

    init(pid: Int32) { self.pid = pid }

    /// Bytes now; nil when the process is gone or another's.
    func read() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8), let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        let bytes = pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        peakSeen.withLock { $0 = max($0, bytes) }
        return bytes
    }

    var isAlive: Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8), let end = text.lastIndex(of: ")") else { return false }
        return !text[end...].hasPrefix(") Z")
    }

    /// The highest since the last call.
    func takePeak() -> Int { peakSeen.withLock { peak in defer { peak = 0 }; return peak } }
}
