import FasciaProcesses
import Foundation

/// A program started, talked to and killed on a reactor. It has a process group of its own: Ctrl-C at the terminal is for the
/// campaign, which then ends its programs in order.
final class SupervisedProgram {
    enum Ending: Equatable, CustomStringConvertible {
        case status(Int32)
        case signal(Int32)
        var description: String {
            switch self {
            case .status(let status): "status \(status)"
            case .signal(let signal): "signal \(signal)"
            }
        }
    }

    let name: String
    let pid: pid_t
    private(set) var ending: Ending?
    private(set) var lines: [String] = []
    private let reactor: Reactor
    private var input: Int32
    private var output: Int32
    private var source: Reactor.Source?
    private var cutter = LineCutter()
    private var answers: [String] = []

    var isRunning: Bool { ending == nil }

    /// - Parameter log: takes standard error, appended.
    init(_ path: String, _ arguments: [String], environment: [String: String], log: String, reactor: Reactor) throws {
        name = URL(fileURLWithPath: path).lastPathComponent
        self.reactor = reactor
        var toChild: [Int32] = [-1, -1], fromChild: [Int32] = [-1, -1]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw ToolError("no pipe: \(String(cString: strerror(errno)))") }
        for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }.map { "\($0)=\($1)" }
        var pid: pid_t = 0
        let code = Self.withCStrings([path] + arguments) { argv in
            Self.withCStrings(variables) { envp in posix_spawn(&pid, path, &actions, &attributes, argv, envp) }
        }
        close(toChild[0])
        close(fromChild[1])
        (self.pid, input, output) = (pid, toChild[1], fromChild[0])
        guard code == 0 else {
            close(input)
            close(output)
            throw ToolError("\(path) cannot be started: \(String(cString: strerror(code)))")
        }
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
        source = reactor.add(output) { [unowned self] _, _ in drain() }
    }

    deinit { release() }

    func signal(_ number: Int32) { if isRunning { _ = kill(pid, number) } }

    /// Looks whether it has ended; call it now and then.
    func reap() {
        guard ending == nil else { return }
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return }
        drain()
        ending = status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
        release()
    }

    /// SIGTERM, then SIGKILL when that has not helped within `seconds`; returns when it is gone.
    func end(within seconds: Double) {
        signal(SIGCONT)
        signal(SIGTERM)
        let deadline = Date(timeIntervalSinceNow: seconds)
        while isRunning, Date() < deadline {
            usleep(1000)
            reap()
        }
        guard isRunning else { return }
        signal(SIGKILL)
        while isRunning {
            usleep(1000)
            reap()
        }
    }

    /// Says `line` to its console.
    /// - Returns: its answer, nil when none came in time.
    func ask(_ line: String, within seconds: Double = 5) -> String? {
        answers = []
        let bytes = Array((line + "\n").utf8)
        guard isRunning, write(input, bytes, bytes.count) == bytes.count else { return nil }
        _ = reactor.run(within: seconds) { !answers.isEmpty || !isRunning }
        return answers.first
    }

    private func drain() {
        guard output >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else {
                if count == 0 { stopReading() }
                return
            }
            for line in cutter.take(buffer[..<count]) {
                if line == "ok" || line.hasPrefix("ok ") || line.hasPrefix("error") { answers.append(line) } else { lines.append(line) }
            }
        }
    }

    private func stopReading() {
        if let source { reactor.remove(source) }
        source = nil
    }

    private func release() {
        stopReading()
        if input >= 0 { close(input) }
        if output >= 0 { close(output) }
        (input, output) = (-1, -1)
    }

    private static func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped)) }
    }
}
