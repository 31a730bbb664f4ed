import Glibc

/// Where the commands of `--script` come from: a file, a pipe, or standard input. Lines are read as they come, so that a
/// program at the other end of a pipe can go by the answers.
public struct ConsoleScript: Sendable {
    /// Open for reading; belongs to whoever reads the script.
    let descriptor: Int32
    /// For messages: the path, or "standard input".
    let name: String

    /// - Parameter path: `-` is standard input.
    /// - Throws: `.script` when it cannot be opened for reading.
    public init(path: String) throws(HeadUnitError) {
        func failure(_ number: Int32) -> HeadUnitError {
            let cause = String(cString: strerror(number))
            return HeadUnitError(.script, "the script \(path) cannot be read: \(cause). Give --script a file with one console command a line, or - for standard input.")
        }
        guard path != "-" else {
            descriptor = STDIN_FILENO
            name = "standard input"
            return
        }
        name = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            throw failure(EISDIR)
        }
    }

    /// Whether the console cannot go on after it, because the script was its input.
    var isStandardInput: Bool { descriptor == STDIN_FILENO }
}
