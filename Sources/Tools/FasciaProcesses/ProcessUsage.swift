import Foundation

/// What a process holds of the machine, as /proc has it at one moment.
public struct ProcessUsage: Sendable, Equatable {
    /// Open file descriptors.
    public var descriptors: Int
    public var threads: Int
    /// Resident memory in bytes.
    public var resident: Int
    /// Memory of its own, not shared with any other process, in bytes: what the machine would get back.
    public var own: Int
    /// Processor time in milliseconds, user and system.
    public var cpu: Int

    /// Nil when there is no such process, or it is not ours to look at.
    public init?(of pid: Int32) {
        guard let descriptors = ProcessState.descriptors(pid),
              let rollup = try? String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8),
              let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8), let name = stat.lastIndex(of: ")") else { return nil }
        func bytes(_ field: String) -> Int {
            let line = rollup.split(separator: "\n").first { $0.hasPrefix("\(field):") }
            return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
        }
        // Fields from the third on; user and system time are 14 and 15, threads 20.
        let fields = stat[stat.index(after: name)...].split(separator: " ")
        guard fields.count > 17, let user = Int(fields[11]), let system = Int(fields[12]), let threads = Int(fields[17]) else { return nil }
        self.descriptors = descriptors
        self.threads = threads
        resident = bytes("Rss")
        own = bytes("Private_Clean") + bytes("Private_Dirty")
        cpu = (user + system) * 1_000 / max(1, sysconf(Int32(_SC_CLK_TCK)))
    }
}
