import CLabSystem
import Foundation

/// Starts helper programs on a host.
enum HostSpawn {
    /// - Parameter binds: directories to show elsewhere, besides those every program on the host sees.
    static func start(_ command: [String], on network: HostNetwork, place: LabPlace, binds: [(String, String)], output: Int32) throws(LabError) -> pid_t {
        guard let path = find(command[0]) else {
            throw LabError(.failed, "\(command[0]) is missing: run scripts/install-dependencies")
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=" + directories.joined(separator: ":")), nil]
        defer { for string in arguments + environment { free(string) } }
        let pid = withBinds(HostEntry.binds(place, network.host) + binds) { binds in
            fascia_host_spawn(network.network, binds.baseAddress, binds.count, path, &arguments, &environment, output)
        }
        guard pid > 0 else { throw .system("cannot start \(path)") }
        return pid
    }

    private static let directories = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]

    static func find(_ program: String) -> String? {
        let own = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (directories + own).map { $0 + "/" + program }.first { access($0, X_OK) == 0 }
    }

    static func withBinds<Value>(_ binds: [(String, String)], _ body: (UnsafeBufferPointer<fascia_bind>) -> Value) -> Value {
        let strings = binds.map { (strdup($0.0), strdup($0.1)) }
        defer { for (source, target) in strings { free(source); free(target) } }
        return strings.map { fascia_bind(source: $0.0, target: $0.1) }.withUnsafeBufferPointer(body)
    }
}
