import Foundation

/// What the kernel says of a process.
public enum ProcessState {
    /// There, and not merely waiting to be reaped.
    public static func isAlive(_ pid: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8), let end = stat.lastIndex(of: ")") else { return false }
        return stat[end...].dropFirst(2).first != "Z"
    }

    public static func descriptors(_ pid: Int32) -> Int? { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd"))?.count }

    /// Resident memory, bytes.
    public static func resident(_ pid: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }

    /// Processes it has started, or was given, that are there.
    public static func children(of parent: Int32) -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }.filter { pid in
            guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8), let end = stat.lastIndex(of: ")") else { return false }
            let fields = stat[stat.index(after: end)...].split(separator: " ") // state, parent …
            return fields.count > 1 && fields[0] != "Z" && Int32(fields[1]) == parent
        }.sorted()
    }

    /// Processes that were started with this variable in their environment.
    public static func marked(_ mark: String) -> [Int32] {
        let bytes = Data((mark + "\0").utf8)
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }.filter { pid in
            guard let descriptor = fopen("/proc/\(pid)/environ", "r") else { return false }
            defer { fclose(descriptor) }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = fread(&buffer, 1, buffer.count, descriptor)
            return Data(buffer[..<count]).range(of: bytes) != nil
        }
    }
}
