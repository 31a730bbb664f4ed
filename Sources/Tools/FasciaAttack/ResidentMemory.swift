import FasciaProcesses
import Synchronization

/// Resident memory of another process, looked at again and again.
final class ResidentMemory: Sendable {
    private let pid: Int32
    private let peakSeen = Mutex(0)

    init(pid: Int32) { self.pid = pid }

    /// Bytes now; nil when the process is gone or another's.
    func read() -> Int? {
        guard let bytes = ProcessState.resident(pid) else { return nil }
        peakSeen.withLock { $0 = max($0, bytes) }
        return bytes
    }

    var isAlive: Bool { ProcessState.isAlive(pid) }

    /// The highest since the last call.
    func takePeak() -> Int { peakSeen.withLock { peak in defer { peak = 0 }; return peak } }
}
