import Foundation

/// The threads of a process and the processor time each has used, at one moment.
struct ThreadList {
    /// Threads looked at; there are more than these only in apps that make too many.
    static let limit = 64

    struct Entry {
        let id: Int32
        let status: ThreadStatus
    }

    /// The main thread first.
    let threads: [Entry]
    let leftOut: Int
    /// Whole process, milliseconds, ended threads too.
    let user: Int64
    let system: Int64

    init(pid: Int32) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        let identifiers = names.compactMap { Int32($0) }.sorted { ($0 == pid ? 0 : 1, $0) < ($1 == pid ? 0 : 1, $1) }
        threads = identifiers.prefix(Self.limit).compactMap { id in
            ProcFile.read("/proc/\(pid)/task/\(id)/stat").flatMap(ThreadStatus.init(stat:)).map { Entry(id: id, status: $0) }
        }
        leftOut = max(0, identifiers.count - Self.limit)
        let whole = ProcFile.read("/proc/\(pid)/stat").flatMap(ThreadStatus.init(stat:))
        user = whole?.user ?? 0
        system = whole?.system ?? 0
    }

    func cpu(of id: Int32) -> Int64? { threads.first { $0.id == id }.map { $0.status.user + $0.status.system } }
}
