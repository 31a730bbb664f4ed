import Dispatch
import Foundation

/// Waits for a child process on a small thread of its own and reports on the main actor.
enum ProcessWait {
    static func start(pid: Int32, _ ended: @escaping @MainActor @Sendable (AppExit.Status) -> Void) {
        let thread = Thread {
            let status = wait(pid)
            DispatchQueue.main.async { MainActor.assumeIsolated { ended(status) } }
        }
        thread.name = "app-\(pid)-wait"
        thread.stackSize = 256 << 10
        thread.start()
    }

    private static func wait(_ pid: Int32) -> AppExit.Status {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            // Somebody else in this process collected the child: its status is lost.
            guard errno == EINTR else { return .code(-1) }
        }
        let signal = status & 0x7f
        return signal == 0 ? .code((status >> 8) & 0xff) : .signal(signal)
    }
}
