import CLabSystem
import Foundation
import Synchronization

/// Two hosts, `car` and `phone`, on this machine: network namespaces with a D-Bus and an avahi-daemon of their own each,
/// joined by an emulated link. Needs root.
///
///     let lab = try Lab(name: "bench")
///     try await lab.up()
///     try lab.link.set(roundTrip: .milliseconds(10))
///     let command = lab.command(on: .car, "/usr/bin/env", ["true"])
///     let child = try await ChildProgram(command.path, command.arguments)     // child.pid is the program's
///     try lab.link.cut(for: .milliseconds(300))
///     await lab.down()
public final class Lab: Sendable {
    /// How long a lab stays when nobody takes it down.
    public enum Lifetime: Sendable {
        /// Until `down`, whoever calls it.
        case background
        /// Until this process ends, however it does.
        case process
    }

    public struct Options: Sendable {
        /// An avahi-daemon in each host; without, the lab is there in 50 ms instead of a second.
        public var discovery = true
        /// Of what is random on the link.
        public var seed: UInt64 = 1
        /// TCP congestion control in the hosts; nil takes the system's.
        public var congestion: String?
        /// TCP Fast Open (RFC 7413) in the hosts.
        public var fastOpen = true
        public init() {}
    }

    /// The name of the interface, the same in both hosts.
    public static let interface = "lab0"

    public let name: String
    let place: LabPlace
    private let connection = Mutex<ControlConnection?>(nil)
    /// The link this object started.
    private let started = Mutex<StartedLink?>(nil)

    /// Takes hold of the lab of that name, whether it is up or not.
    public init(name: String = "fascia") throws(LabError) {
        place = try LabPlace(name: name)
        self.name = name
    }

    public static func address(of host: LabHost) -> String { host.address }

    /// Asks the link.
    public var isUp: Bool { (try? ask("settings")) != nil }
    public var link: LabLink { LabLink(lab: self) }

    // MARK: Up and down

    /// Makes the hosts and joins them. Removes first what a crashed lab of that name left.
    /// - Parameter program: the `fascia` program, which has the link in it; by default the one beside this program.
    /// - Throws: `notAllowed` without root, `alreadyUp`.
    public func up(_ lifetime: Lifetime = .process, options: Options = Options(), program: String? = nil) async throws(LabError) {
        let fascia: String
        if let program { fascia = program } else { fascia = try Self.program() }
        let link = try await Task.detached { [place] in Result { () throws(LabError) in try StartedLink(place, lifetime, options, program: fascia) } }.value.get()
        started.withLock { $0 = link }
        connection.withLock { $0 = nil }
    }

    /// Ends the link and the daemons. Does nothing when the lab is not up; cleans up after one that crashed.
    public func down() async throws(LabError) {
        connection.withLock { $0 = nil }
        let link = started.withLock { link in
            defer { link = nil }
            return link
        }
        try await Task.detached { [place] in Result { () throws(LabError) in try LinkEnd.run(place, started: link) } }.value.get()
    }

    /// The `fascia` program beside this one.
    static func program() throws(LabError) -> String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        if own.lastPathComponent == "fascia" { return own.path }
        for directory in [own.deletingLastPathComponent(), Bundle.main.bundleURL] { // tests: the test runner is elsewhere
            let path = directory.appendingPathComponent("fascia").path
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw LabError(.failed, "the fascia program is not beside \(own.path); build all programs: swift build")
    }

    // MARK: Programs

    /// What starts a program on a host: as a child of the caller, with the pid, standard streams, working directory and
    /// environment it would have without.
    public struct Command: Sendable {
        public let path: String
        public let arguments: [String]
    }

    /// - Parameter launcher: the `fascia` program; by default the one beside this program.
    public func command(on host: LabHost, _ program: String, _ arguments: [String] = [], launcher: String? = nil) throws(LabError) -> Command {
        let path: String
        if let launcher { path = launcher } else { path = try Self.program() }
        return Command(path: path, arguments: ["lab", "exec", "--name", name, host.rawValue, "--", program] + arguments)
    }

    /// Turns this process into the program on the host. Returns only by throwing.
    public func become(on host: LabHost, _ program: String, _ arguments: [String]) throws(LabError) -> Never {
        try HostEntry.become(place, network: try control().network(of: host), host: host, program: program, arguments: arguments)
    }

    /// A socket of a host's network, of this process: a thread need not be on the host to use it.
    /// - Parameters:
    ///   - domain: such as `AF_INET`.
    ///   - type: such as `SOCK_STREAM`, the number.
    public func socket(on host: LabHost, domain: Int32 = AF_INET, type: Int32) throws(LabError) -> Int32 {
        let network = try control().network(of: host)
        defer { close(network) }
        let descriptor = fascia_namespace_socket(network, domain, type)
        guard descriptor >= 0 else { throw .system("cannot make a socket on the \(host.rawValue)") }
        return descriptor
    }

    // MARK: Control

    /// Says a line to the link (`fascia lab ask --help` lists them) and returns the rest of its "ok" answer.
    @discardableResult
    public func ask(_ line: String) throws(LabError) -> String {
        do { return try control().ask(line) } catch {
            guard error.code == .notUp else { throw error }
            connection.withLock { $0 = nil } // somebody may have taken the lab down and up again
            return try control().ask(line)
        }
    }

    func ask<Value: Decodable>(_ line: String, as type: Value.Type) throws(LabError) -> Value {
        let answer = try ask(line)
        do { return try JSONDecoder().decode(type, from: Data(answer.utf8)) } catch {
            throw LabError(.failed, "the link answered \(answer) to \(line)")
        }
    }

    public func status() throws(LabError) -> LabStatus { try ask("status", as: LabStatus.self) }

    private func control() throws(LabError) -> ControlConnection {
        if let connection = connection.withLock({ $0 }) { return connection }
        guard let fresh = ControlConnection(path: place.socket) else {
            throw errno == EACCES ? .system("lab \"\(name)\"") : LabError(.notUp, "lab \"\(name)\" is not up: `fascia lab up --name \(name)`")
        }
        connection.withLock { $0 = fresh }
        return fresh
    }
}
