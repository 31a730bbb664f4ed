import CAppSpawn
import FasciaAppLink
import FasciaAppSound
import Foundation

/// Starts an app's process: link on descriptor 3, backtraces on 4, sound on 5, output in a pipe, nothing else inherited.
enum ProcessSpawn {
    /// Number of the link's descriptor in the app, given in `FASCIA_APP_FD`.
    static let linkDescriptor: Int32 = 3

    /// Number of the pipe for backtraces in the app, given with the signal in `FASCIA_APP_REPORT` (spec/applink.md 6.1).
    static let reportDescriptor: Int32 = 4
    /// libdispatch's threads, on which Swift runs its tasks, block every signal but those of errors and this one.
    static let reportSignal = SIGPROF

    /// Number of the sound's socket in the app, given in `FASCIA_APP_SOUND` (spec/appsound.md 2).
    static let soundDescriptor: Int32 = 5

    struct Spawned {
        let pid: Int32
        /// The phone's end of the link.
        let link: Int32
        /// Reads the app's standard output and error.
        let output: Int32
        /// Reads backtraces; non-blocking.
        let backtraces: Int32
        /// The phone's end of the app's sound.
        let sound: PhoneSoundSocket
    }

    static func spawn(executable: String, resources: String) throws(AppHostError) -> Spawned {
        let link: (phone: Int32, app: Int32)
        do throws(AppLinkError) { link = try SocketCarrier.socketPair() } catch {
            throw AppHostError(.launchFailed, "\(executable): \(error)")
        }
        guard let sound = PhoneSoundSocket.pair() else {
            let reason = String(cString: strerror(errno))
            for descriptor in [link.phone, link.app] { close(descriptor) }
            throw AppHostError(.launchFailed, "\(executable): socketpair: \(reason)")
        }
        let soundSocket = PhoneSoundSocket(descriptor: sound.phone)
        var output: [Int32] = [-1, -1], backtraces: [Int32] = [-1, -1]
        defer { for descriptor in [link.app, sound.app, output[1], backtraces[1]] where descriptor >= 0 { close(descriptor) } }
        func failed(_ what: String, _ code: Int32) -> AppHostError {
            for descriptor in [link.phone, output[0], backtraces[0]] where descriptor >= 0 { close(descriptor) }
            return AppHostError(.launchFailed, "\(executable)\(what): \(String(cString: strerror(code)))")
        }
        guard fascia_pipe_cloexec(&output) == 0, fascia_pipe_cloexec(&backtraces) == 0 else { throw failed(": pipe", errno) }
        _ = fcntl(backtraces[0], F_SETFL, O_NONBLOCK)
        var pid: pid_t = 0
        let code = start(executable, resources, Ends(link: link.app, output: output[1], backtraces: backtraces[1], sound: sound.app), &pid)
        guard code == 0 else { throw failed(" could not be started", code) }
        return Spawned(pid: pid, link: link.phone, output: output[0], backtraces: backtraces[0], sound: soundSocket)
    }

    /// What the app gets.
    private struct Ends {
        let link, output, backtraces, sound: Int32
    }

    private static func start(_ executable: String, _ resources: String, _ ends: Ends, _ pid: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The source descriptors may themselves be 5 or lower: move them out of the way first, to where none of them is.
        let parked = max(ends.link, ends.output, ends.backtraces, ends.sound, soundDescriptor) + 1
        let moved = [(ends.link, linkDescriptor), (ends.backtraces, reportDescriptor), (ends.sound, soundDescriptor)]
        for (index, (end, _)) in moved.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, parked + Int32(index)) }
        posix_spawn_file_actions_adddup2(&actions, ends.output, 2)
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (index, (_, number)) in moved.enumerated() { posix_spawn_file_actions_adddup2(&actions, parked + Int32(index), number) }
        fascia_spawn_closefrom(&actions, soundDescriptor + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // A group of its own: Ctrl-C at the phone's terminal ends the phone, which then disconnects the app's scene in order.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

        var environment = ProcessInfo.processInfo.environment
        environment["FASCIA_APP_FD"] = String(linkDescriptor)
        environment["FASCIA_APP_SOUND"] = String(soundDescriptor)
        environment["FASCIA_APP_REPORT"] = "\(reportDescriptor):\(reportSignal)"
        environment["FASCIA_APP_RESOURCES"] = resources
        let strings = environment.map { "\($0)=\($1)" }
        return withCStrings([executable]) { arguments in
            withCStrings(strings) { variables in posix_spawn(&pid, executable, &actions, &attributes, arguments, variables) }
        }
    }

    /// Starts a helper of the phone's own with nothing but /dev/null. - Returns: nil if it cannot be started.
    static func spawnTool(_ program: String, _ arguments: [String]) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in STDIN_FILENO...STDERR_FILENO { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) }
        fascia_spawn_closefrom(&actions, STDERR_FILENO + 1)
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = "enable=no" // should it crash, then quickly
        let strings = environment.map { "\($0)=\($1)" }
        var pid: pid_t = 0
        let code = withCStrings(arguments) { arguments in
            withCStrings(strings) { variables in posix_spawn(&pid, program, &actions, nil, arguments, variables) }
        }
        return code == 0 ? pid : nil
    }

    private static func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        pointers.append(nil)
        return pointers.withUnsafeMutableBufferPointer { buffer in body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped)) }
    }
}
