import Foundation

/// Writes down each callback as it happens, one line in one write, to the file or pipe `FASCIA_CHAOS_DIARY`:
///
///     <CLOCK_MONOTONIC nanoseconds> <pid> <what> <scene, counted by the app from 1>
class Diary {
    static let shared = Diary()
    private let descriptor: Int32

    private init() {
        let path = ProcessInfo.processInfo.environment["FASCIA_CHAOS_DIARY"] ?? "/dev/null"
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    }

    func note(_ what: String, scene: Int = 0) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let line = "\(time.tv_sec * 1_000_000_000 + time.tv_nsec) \(getpid()) \(what) \(scene)\n"
        _ = line.withCString { write(descriptor, $0, strlen($0)) }
    }
}
