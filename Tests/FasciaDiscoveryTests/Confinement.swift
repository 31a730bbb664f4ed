import FasciaDiscovery
import Foundation
import Testing

/// Tests that speak mDNS run only where it cannot leave the machine.
enum Confinement {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Refuses, with what to do instead, unless the process is inside `scripts/lib/confined`.
    static func require() throws {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { throw Missing(description: "cannot list network interfaces") }
        defer { freeifaddrs(first) }
        var open: Set<String> = []
        var entry = first
        while let current = entry {
            if current.pointee.ifa_flags & UInt32(IFF_UP) != 0, current.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0 {
                open.insert(String(cString: current.pointee.ifa_name))
            }
            entry = current.pointee.ifa_next
        }
        guard open.isEmpty, ProcessInfo.processInfo.environment["FASCIA_CONFINED"] == "1" else {
            throw Missing(description: "this test sends mDNS and refuses to run where it could leave the machine"
                + (open.isEmpty ? "" : " (by \(open.sorted().joined(separator: ", ")))")
                + ": run scripts/test, or scripts/lib/confined swift test --skip-build")
        }
    }

    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Starts or stops the private D-Bus and avahi-daemon.
    static func avahi(_ action: String) throws {
        let (status, output) = try run(repository.appendingPathComponent("scripts/lib/private-avahi").path, action)
        guard status == 0 else { throw Missing(description: "private-avahi \(action): \(output)") }
    }

    /// Runs a program to its end; what it wrote to either output.
    static func run(_ program: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        // A file, not a pipe: a daemon left behind would hold the pipe open.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }
}
