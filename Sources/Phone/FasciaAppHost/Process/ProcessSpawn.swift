import CAppSpawn
import FasciaAppLink
import Foundation

/// Starts an app's process: link on descriptor 3, output in a pipe, nothing else inherited.
enum ProcessSpawn {
    /// Number of the link's descriptor in the app, given in `FASCIA_APP_FD`.
    static let linkDescriptor: Int32 = 3

    struct Spawned {
        let pid: Int32
        /// The phone's end of the link.
        let link: Int32
        /// Reads the app's standard output and error.
        let output: Int32
    }

    static func spawn(executable: String, resources: String) throws(AppHostError) -> Spawned {
        let link: (phone: Int32, app: Int32)
        do throws(AppLinkError) { link = try SocketCarrier.socketPair() } catch {
            throw AppHostError(.launchFailed, "\(executable): \(error)")
        }
        var pipe: [Int32] = [-1, -1]
        guard fascia_pipe_cloexec(&pipe) == 0 else {
            close(link.phone)
            close(link.app)
            throw AppHostError(.launchFailed, "\(executable): pipe: \(String(cString: strerror(errno)))")
        }
        var pid: pid_t = 0
        let code = start(executable, resources, link: link.app, output: pipe[1], &pid)
        close(link.app)
        close(pipe[1])
        guard code == 0 else {
            close(link.phone)
            close(pipe[0])
            throw AppHostError(.launchFailed, "\(executable) could not be started: \(String(cString: strerror(code)))")
        }
        return Spawned(pid: pid, link: link.phone, output: pipe[0])
    }

    private static func start(_ executable: String, _ resources: String, link: Int32, output: Int32, _ pid: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The source descriptors may themselves be 3 or lower: move the link out of the way first.
        let parked: Int32 = 200
        posix_spawn_file_actions_adddup2(&actions, link, parked)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, parked, linkDescriptor)
        fascia_spawn_closefrom(&actions, linkDescriptor + 1)

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
        environment["FASCIA_APP_RESOURCES"] = resources
        let strings = environment.map { "\($0)=\($1)" }
        return withCStrings([executable]) { arguments in
            withCStrings(strings) { variables in posix_spawn(&pid, executable, &actions, &attributes, arguments, variables) }
        }
    }

    private static func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        pointers.append(nil)
        return pointers.withUnsafeMutableBufferPointer { buffer in body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped)) }
    }
}
