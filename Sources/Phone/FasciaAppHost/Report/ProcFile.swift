import Foundation

/// Small files of /proc/PID. Each may be gone, or cut short, at any time: nil then.
enum ProcFile {
    /// Largest file read: a map of memory with some ten thousand mappings.
    static let limit = 2 << 20

    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[0 ..< count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A hexadecimal mask of /proc/PID/status, such as SigCgt.
    static func mask(_ name: String, in status: String) -> UInt64? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }) else { return nil }
        return UInt64(line.dropFirst(name.count + 1).drop { $0.isWhitespace }, radix: 16)
    }

    static func contains(_ mask: UInt64?, signal: Int32) -> Bool { (mask ?? 0) >> UInt64(signal - 1) & 1 == 1 }

    /// The process that debugs `pid`, or nil.
    static func tracer(of pid: Int32) -> Int32? {
        guard let status = read("/proc/\(pid)/status"), let line = status.split(separator: "\n").first(where: { $0.hasPrefix("TracerPid:") }),
              let tracer = Int32(line.dropFirst("TracerPid:".count).drop { $0.isWhitespace }), tracer != 0 else { return nil }
        return tracer
    }
}

/// What /proc/PID/task/TID/stat says.
package struct ThreadStatus {
    package let name: String
    let state: String
    /// Milliseconds.
    let user: Int64
    let system: Int64

    package init?(stat: String) {
        // The name is in brackets and may hold anything, brackets too.
        guard let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")"), open < close else { return nil }
        let fields = stat[stat.index(after: close)...].split(separator: " ")
        guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else { return nil }
        name = String(stat[stat.index(after: open) ..< close].unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : Character($0) })
        state = String(fields[0])
        self.user = user &* Self.tick
        self.system = system &* Self.tick
    }

    private static let tick = 1_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))
}
