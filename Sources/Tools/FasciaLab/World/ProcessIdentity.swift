import Foundation

/// A process that is the same one later: its number may be given to another, but not with the same start.
struct ProcessIdentity: Codable, Equatable, Sendable {
    let pid: Int32
    /// Clock ticks since boot, field 22 of `/proc/PID/stat`.
    let start: UInt64
    let name: String

    /// Nil when there is no such process, or only its exit status is left.
    /// - Parameter name: of the program, when the process is only about to become it.
    init?(pid: Int32, name: String? = nil) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            // The name stands in parentheses and may hold anything, also parentheses.
            let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: close)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", let start = UInt64(fields[19]) else { return nil }
        (self.pid, self.start, self.name) = (pid, start, name ?? String(text[text.index(after: open)..<close]))
    }

    var isRunning: Bool { ProcessIdentity(pid: pid)?.start == start }

    /// Sends `signal` if it still is the process it was.
    func send(_ signal: Int32) { if isRunning { kill(pid, signal) } }
}

/// What `down` needs after a crash.
struct LabState: Codable, Sendable {
    /// Process numbers mean something in one process namespace only.
    var processNamespace = Self.currentProcessNamespace
    var processes: [ProcessIdentity] = []

    static var currentProcessNamespace: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
    }

    static func read(_ place: LabPlace) -> LabState? {
        (try? Data(contentsOf: URL(fileURLWithPath: place.state))).flatMap { try? JSONDecoder().decode(LabState.self, from: $0) }
    }

    func write(_ place: LabPlace) throws(LabError) {
        do { try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: place.state), options: .atomic) } catch {
            throw LabError(.failed, "cannot write \(place.state): \(error)")
        }
    }
}
