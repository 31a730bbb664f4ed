import FasciaPairing
import FasciaTrust
import FoundationEssentials
import Glibc
import Synchronization

/// How many wrong codes there were, in `pairing-lockout.json` of the head unit's state directory: ending the process does
/// not clear it. What cannot be counted is not allowed.
public final class PairingLockoutFile: Sendable {
    public static let fileName = "pairing-lockout.json"

    private struct Document: Codable {
        var version: Int
        var failures: Int
        var lockedAtNanoseconds: UInt64
        var bootID: String
    }

    private let file: PrivateFile
    private let lockout: Mutex<PairingLockout>
    private let now: @Sendable () -> UInt64

    public convenience init(in directory: StateDirectory) throws(StateError) {
        try self.init(in: directory, now: BootClock.now, bootID: BootClock.id)
    }

    /// - Parameters:
    ///   - now: CLOCK_BOOTTIME in nanoseconds.
    ///   - bootID: of the boot that time belongs to.
    init(in directory: StateDirectory, now: @escaping @Sendable () -> UInt64, bootID: String) throws(StateError) {
        let file = PrivateFile(Self.fileName, in: directory)
        var lockout = PairingLockout(bootID: bootID)
        if let json = try file.read() {
            guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)), document.version == 1 else {
                throw StateError(.corrupt, path: file.path, "is damaged. Restore it, or move it away to allow pairing again")
            }
            lockout = PairingLockout(failures: document.failures, lockedAt: document.lockedAtNanoseconds, bootID: document.bootID)
            lockout.resume(now: now(), bootID: bootID)
        }
        self.file = file
        self.lockout = Mutex(lockout)
        self.now = now
    }

    /// Whether an attempt may begin.
    public var verdict: PairingLockout.Verdict { lockout.withLock { $0.verdict(now: now()) } }

    /// Counts an attempt, on disk, if one may begin.
    func beginAttempt() throws(StateError) -> PairingLockout.Verdict {
        try change { lockout in
            let verdict = lockout.verdict(now: now())
            if verdict == .allowed { lockout.attemptBegan(now: now()) }
            return verdict
        }
    }

    func attemptSucceeded() throws(StateError) { try change { $0.attemptSucceeded() } }

    private func change<Value: Sendable>(_ body: (inout PairingLockout) -> Value) throws(StateError) -> Value {
        let result = lockout.withLock { lockout -> Result<Value, StateError> in
            var next = lockout
            let value = body(&next)
            guard next != lockout else { return .success(value) }
            do throws(StateError) {
                try write(next)
                lockout = next
                return .success(value)
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func write(_ lockout: PairingLockout) throws(StateError) {
        let document = Document(version: 1, failures: lockout.failures, lockedAtNanoseconds: lockout.lockedAt, bootID: lockout.bootID)
        guard let json = try? JSONEncoder().encode(document) else { throw StateError(.writeFailed, path: file.path, "cannot be encoded") }
        try file.replace(with: Array(json))
    }
}

/// Time since the machine was started, its sleep included.
enum BootClock {
    /// Nanoseconds of CLOCK_BOOTTIME.
    @Sendable static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Differs from boot to boot.
    static var id: String {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count].filter { $0 > 32 }, as: UTF8.self)
    }
}
