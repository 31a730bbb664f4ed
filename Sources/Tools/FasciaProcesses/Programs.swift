import Foundation

/// The other programs of the package, which lie beside this one.
public enum Programs {
    public static func path(_ name: String) throws -> String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = own.deletingLastPathComponent().appendingPathComponent(name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw ToolError("\(path) is missing; build all programs: swift build -c release")
        }
        return path
    }

    public static func own() -> String { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path }
}

/// A directory that lasts as long as this object.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/fascia-bench-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ToolError("no temporary directory can be made in \(FileManager.default.temporaryDirectory.path): \(String(cString: strerror(errno)))")
        }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public func file(_ name: String) -> String { path + "/" + name }
}
