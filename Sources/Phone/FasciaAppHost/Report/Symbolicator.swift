import Foundation

/// Puts names to the addresses of a report, in a process of its own with little time: the files it reads are the app's, and may be
/// made to upset whoever parses them. Without it, or when it fails, a report has files and offsets.
public struct Symbolicator: Sendable {
    /// Processor time, milliseconds, user and system each: on a busy machine the same work takes longer, and the names are wanted then too.
    static let work: Int64 = 3_000
    static let patience: Duration = .seconds(15)
    /// Program and arguments; the report's path is added.
    let command: [String]

    public init(command: [String]) {
        self.command = command
    }

    /// `fascia-phone symbolicate` beside the running program; nil if there is none.
    public static func beside() -> Symbolicator? {
        guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
        let program = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("fascia-phone").path
        return FileManager.default.isExecutableFile(atPath: program) ? Symbolicator(command: [program, "symbolicate"]) : nil
    }

    /// Blocks for at most `patience`, and no longer than `work` takes. - Returns: what went wrong, or nil.
    func run(_ report: String) -> String? {
        guard let program = command.first, let pid = ProcessSpawn.spawnTool(program, command + [report]) else { return "the symbolicator could not be started" }
        let deadline = ContinuousClock.now + Self.patience
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 {
            let used = ProcFile.read("/proc/\(pid)/stat").flatMap(ThreadStatus.init(stat:))
            guard ContinuousClock.now < deadline, used.map({ $0.user <= Self.work && $0.system <= Self.work }) ?? true else {
                kill(pid, SIGKILL)
                _ = ProcessWait.reap(pid: pid)
                return "the symbolicator took too long"
            }
            usleep(5_000)
        }
        return status == 0 ? nil : "the symbolicator failed (\(status))"
    }
}
