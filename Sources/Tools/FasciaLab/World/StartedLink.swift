import CLabSystem
import Foundation

/// A link process this process has started.
final class StartedLink: Sendable {
    let pid: pid_t
    /// The link ends when this closes, which it does with this process; -1 when the link lives on its own.
    private let lifeline: Int32

    /// Starts the link and waits until the hosts are there.
    init(_ place: LabPlace, _ lifetime: Lab.Lifetime, _ options: Lab.Options, program: String) throws(LabError) {
        guard geteuid() == 0 else { throw LabError(.notAllowed, LabError.needsRoot) }
        var arguments = [program, "lab", "link", "--name", place.name, "--seed", "\(options.seed)"]
        if !options.discovery { arguments.append("--no-discovery") }
        if !options.fastOpen { arguments += ["--no-fast-open"] }
        if let congestion = options.congestion { arguments += ["--congestion", congestion] }
        if lifetime == .process { arguments.append("--lifeline") }

        var life: [Int32] = [-1, -1], ready: [Int32] = [-1, -1]
        guard fascia_pipe(&life) == 0, fascia_pipe(&ready) == 0 else { throw .system("cannot make a pipe") }
        var strings = arguments.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        pid = fascia_background_spawn(program, &strings, life[0], ready[1])
        let failure = errno
        close(life[0])
        close(ready[1])
        defer { close(ready[0]) }
        if lifetime == .process, pid > 0 { lifeline = life[1] } else {
            close(life[1])
            lifeline = -1
        }
        guard pid > 0 else { throw .system("cannot start \(program)", failure) }

        let answer = FileHandle(fileDescriptor: ready[0], closeOnDealloc: false).readDataToEndOfFile()
        let line = String(decoding: answer, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
        guard line != "ready" else { return }
        reap()
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[0] == "error", let code = LabError.Code(rawValue: String(parts[1])) else {
            throw LabError(.failed, "the link ended while it started\(line.isEmpty ? "" : ": " + line); see \(place.log)")
        }
        throw LabError(code, String(parts[2]))
    }

    /// Collects its exit status, once it has ended.
    func reap() {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }

    deinit { if lifeline >= 0 { close(lifeline) } }
}
