import Foundation

/// Starts the program that speaks (`fascia-speech`), found beside the app's executable, else in PATH.
enum SpeechHelper {
    static let missing = "speech needs the program fascia-speech beside the app or in PATH, and the package espeak-ng-data"

    static func find() -> String? {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first ?? ""
        let folders = [(own as NSString).deletingLastPathComponent] + (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init)
        return folders.map { "\($0)/fascia-speech" }.first { access($0, X_OK) == 0 }
    }

    /// Runs it to its end, handing its output over as it comes. Blocks; not for the main thread when it speaks.
    /// - Returns: false if it could not be started.
    static func run(_ arguments: [String], input: [UInt8], output: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        guard let path = find() else { return false }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return false }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, nil, &words, environ)
        posix_spawn_file_actions_destroy(&actions)
        words.forEach { free($0) }
        close(ends[1])
        guard result == 0 else { return false }
        // It reads all before it writes anything, so this cannot block for long.
        write(input, to: ends[0])
        shutdown(ends[0], Int32(SHUT_WR))
        read(from: ends[0], output)
        shutdown(ends[0], Int32(SHUT_RDWR)) // what it still has to say fails, and it ends
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return true
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress?.advanced(by: offset), bytes.count - offset, Int32(MSG_NOSIGNAL)) }
            if written < 0, errno == EINTR { continue }
            if written <= 0 { return }
            offset += written
        }
    }

    private static func read(from descriptor: Int32, _ output: (UnsafeRawBufferPointer) -> Bool) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return }
            guard chunk.withUnsafeBytes({ output(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) else { return }
        }
    }
}
