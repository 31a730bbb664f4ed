import Dispatch
import Foundation

/// Waits for a child process on a small thread of its own and reports on the main actor. The child stays a zombie until
/// `reap`: as long as nobody has called it, the process number is the child's and may be signalled or read in /proc.
enum ProcessWait {
    /// How long its last words are waited for; a process it has left behind may hold its output open for ever. Well below what an app may
    /// take to end: its watchdog runs until this is over.
    private static let patience = DispatchTimeInterval.milliseconds(500)

    /// - Parameter output: of the app, so that what it said last stands before its end.
    static func start(pid: Int32, output: DispatchGroup, _ ended: @escaping @MainActor @Sendable () -> Void) {
        let thread = Thread {
            var info = siginfo_t()
            while waitid(P_PID, id_t(bitPattern: pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            _ = output.wait(timeout: .now() + patience)
            DispatchQueue.main.async { MainActor.assumeIsolated { ended() } }
        }
        thread.name = "app-\(pid)-wait"
        thread.stackSize = 256 << 10
        thread.start()
    }

    /// Collects a child that has ended.
    static func reap(pid: Int32) -> AppExit.Status {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            // Somebody else in this process collected the child: its status is lost.
            guard errno == EINTR else { return .code(-1) }
        }
        let signal = status & 0x7f
        return signal == 0 ? .code((status >> 8) & 0xff) : .signal(signal)
    }
}
