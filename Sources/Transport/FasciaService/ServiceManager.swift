import Glibc
import Synchronization

/// What started this program as a service and watches it: systemd, or whatever else sets `NOTIFY_SOCKET` (sd_notify(3)). Without one
/// every call does nothing.
public final class ServiceManager: Sendable {
    private struct State {
        var isReady = false
        var isStopping = false
        var status = ""
    }

    private let socket: NotifySocket?
    /// Time between two signs of life that the manager accepts, `WATCHDOG_USEC`; nil if it does not watch this process.
    public let watchdog: Duration?
    private let state = Mutex(State())

    public init(environment: [String: String], process: Int32 = getpid()) {
        socket = environment["NOTIFY_SOCKET"].flatMap(NotifySocket.init(name:))
        let isMeant = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        watchdog = isMeant ? environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    }

    /// Reads the environment and removes what it found, so that programs started by this one do not speak in its name.
    public static func fromEnvironment() -> ServiceManager {
        let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
        var found: [String: String] = [:]
        for name in names {
            if let value = getenv(name) { found[name] = String(cString: value) }
            unsetenv(name)
        }
        return ServiceManager(environment: found)
    }

    /// The program does what it is for. Once.
    public func ready() {
        let first = state.withLock { state in
            defer { state.isReady = true }
            return !state.isReady && !state.isStopping
        }
        if first { socket?.send("READY=1") }
    }

    /// The program is ending, as asked.
    public func stopping() {
        let first = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        if first { socket?.send("STOPPING=1") }
    }

    /// One line for `systemctl status`.
    public func status(_ text: String) {
        let line = String(text.map { $0.isNewline ? " " : $0 })
        let isNew = state.withLock { state in
            defer { state.status = line }
            return state.status != line
        }
        if isNew { socket?.send("STATUS=\(line)") }
    }

    /// Gives a sign of life at half the watchdog's time, on the main actor and only there: a main actor that hangs is silent, and the
    /// manager ends and restarts the program. Runs until the task is cancelled; nil without a watchdog.
    @MainActor
    public func keepAlive() -> Task<Void, Never>? {
        guard let socket, let watchdog else { return nil }
        return Task { @MainActor in
            while !Task.isCancelled {
                socket.send("WATCHDOG=1")
                try? await Task.sleep(for: watchdog / 2)
            }
        }
    }
}
