import CLabSystem
import Foundation

/// The process behind a lab: makes the hosts, runs their daemons and the link, and takes everything down when it is told
/// to, when it is ended by a signal, or when the owner's end of its standard input closes.
public struct LinkProcess {
    private let place: LabPlace
    private let options: Lab.Options
    private let lifeline: Bool

    public init(name: String, options: Lab.Options, lifeline: Bool) throws(LabError) {
        place = try LabPlace(name: name)
        (self.options, self.lifeline) = (options, lifeline)
    }

    /// Says `ready` on standard output, or `error CODE WORDS`; returns when the lab is down.
    public func run() {
        signal(SIGPIPE, SIG_IGN)
        do throws(LabError) { try live() } catch {
            _ = StandardOutput.say("error \(error.code.rawValue) \(error.description)")
        }
    }

    private func live() throws(LabError) {
        guard geteuid() == 0 else { throw LabError(.notAllowed, LabError.needsRoot) }
        guard let lock = try place.takeLock() else {
            throw LabError(.alreadyUp, "lab \"\(place.name)\" is up already: `fascia lab down --name \(place.name)`, or another --name")
        }
        defer { place.releaseLock(lock) }
        place.removeDirectory() // of a lab that crashed
        defer { place.removeDirectory() }
        for directory in [place.directory] + LabHost.allCases.flatMap({ [place.directory(of: $0), place.dbus($0), place.avahi($0)] }) {
            guard mkdir(directory, 0o755) == 0 else { throw .system("cannot make \(directory)") }
        }
        let end = try EndSignal(lifeline: lifeline)
        let log = open(place.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard log >= 0 else { throw .system("cannot write \(place.log)") }
        let write = { @Sendable (line: String) in _ = Glibc.write(log, line + "\n", line.utf8.count + 1) }

        let hosts = try LabHost.allCases.map { host throws(LabError) in try HostNetwork(host, options: options) }
        var state = LabState()
        state.processes = [ProcessIdentity(pid: getpid())].compactMap(\.self)
        try state.write(place)
        var daemons: [HostDaemons] = []
        defer { for daemon in daemons { daemon.end() } }
        for network in hosts { try network.configure(place, log: log) }

        let status = StatusBoard(place: place, hosts: hosts)
        let control = try ControlServer(path: place.socket, networks: Dictionary(uniqueKeysWithValues: hosts.map { ($0.host, $0.network) }),
                                        status: { status.current() }, quit: { end.raise() })
        let loop = try LinkLoop(taps: hosts.map(\.tap), control: control, seed: options.seed, log: write)
        loop.start()
        defer { loop.stop() }
        if options.discovery {
            for network in hosts {
                let daemon = try HostDaemons(network, place: place, log: log)
                daemons.append(daemon)
                state.processes += daemon.processes
                try state.write(place)
            }
            status.set(daemons.flatMap(\.processes))
            for daemon in daemons { try daemon.waitUntilReady(end) }
        }
        guard StandardOutput.say("ready"), !end.isRaised else { return } // whoever wanted the lab is gone
        dup2(log, 1)
        dup2(log, 2)
        end.wait()
    }
}

private enum StandardOutput {
    /// False when nobody reads it any more.
    static func say(_ line: String) -> Bool { write(1, line + "\n", line.utf8.count + 1) > 0 }
}

/// Becomes true once, from anywhere; can be waited for.
final class EndSignal: @unchecked Sendable { // descriptors that do not change
    private let pipe: (read: Int32, write: Int32)
    private let lifeline: Bool
    private var sources: [any DispatchSourceSignal] = []

    init(lifeline: Bool) throws(LabError) {
        var ends: [Int32] = [0, 0]
        guard fascia_pipe(&ends) == 0 else { throw .system("cannot make a pipe") }
        (pipe, self.lifeline) = ((ends[0], ends[1]), lifeline)
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [write = ends[1]] in _ = Glibc.write(write, "x", 1) }
            source.resume()
            return source
        }
    }

    func raise() { _ = write(pipe.write, "x", 1) }
    var isRaised: Bool { poll(0) }
    func wait() { while !poll(-1) {} }

    /// - Parameter limit: milliseconds; negative waits for ever.
    func poll(_ limit: Int32) -> Bool {
        var descriptors = [pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0), pollfd(fd: lifeline ? 0 : -1, events: Int16(POLLIN), revents: 0)]
        return Glibc.poll(&descriptors, 2, limit) > 0
    }
}
