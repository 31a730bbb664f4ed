import Foundation

/// What the kernel says of a process.
enum ProcessState {
    /// There, and not merely waiting to be reaped.
    static func isAlive(_ pid: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8), let end = stat.lastIndex(of: ")") else { return false }
        return stat[end...].dropFirst(2).first != "Z"
    }

    static func descriptors(_ pid: Int32) -> Int? { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd"))?.count }

    /// Resident memory, bytes.
    static func resident(_ pid: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }

    /// Processes that were started with this variable in their environment.
    static func marked(_ mark: String) -> [Int32] {
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

/// Descriptors and memory of one program from cycle to cycle. Compared at moments of the same kind: all quiet, so many apps running.
struct ResourceWatch {
    /// Descriptors that may be more than ever before at such a moment: a race's loser that is just being closed.
    static let slack = 6
    /// Growth of memory after the first cycles that is taken for a leak, bytes.
    static let growth = 96 << 20
    private static let settling = 8

    private var least: [Int: Int] = [:]
    private var readings = 0
    private var settled = 0
    private(set) var mostDescriptors = 0
    private(set) var mostMemory = 0

    /// - Returns: what has grown too much, nil when nothing has.
    mutating func note(descriptors: Int, memory: Int, apps: Int) -> String? {
        readings += 1
        mostDescriptors = max(mostDescriptors, descriptors)
        mostMemory = max(mostMemory, memory)
        if readings <= Self.settling {
            settled = max(settled, memory)
        } else if memory > settled + Self.growth {
            return "memory grew from \(settled >> 20) to \(memory >> 20) MiB over \(readings) cycles"
        }
        let before = least[apps] ?? descriptors
        least[apps] = min(before, descriptors)
        return descriptors > before + Self.slack ? "\(descriptors) open descriptors with \(apps) apps running, \(before) before" : nil
    }
}
