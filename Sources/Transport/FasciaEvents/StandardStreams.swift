import Glibc

/// Unbuffered lines for standard output and error. A reader that went away is no reason to stop.
public enum StandardStreams {
    private static func leftOut(_ count: Int) -> String { "(\(count) lines left out: nobody read them)" }
    private static let errors = LineWriter(descriptor: STDERR_FILENO, owned: false, leftOutLine: leftOut)
    private static let answers = LineWriter(descriptor: STDOUT_FILENO, owned: false, leftOutLine: leftOut)

    /// What was asked for, on standard output; waits for a slow reader. Not together with `answer` in one program.
    public static func output(_ line: String) { _ = write(line, to: STDOUT_FILENO) }
    /// What was asked for in a program that has other things to do than to wait for a reader that does not read: past 1 MiB lines are
    /// left out and counted.
    public static func answer(_ line: String) { answers.write(line) }
    /// What people should know. Never waits for a reader; see `answer`.
    public static func error(_ line: String) { errors.write(line) }

    /// Writes a line and its newline.
    /// - Returns: the `errno` of a write that failed; nil when everything is written.
    static func write(_ line: String, to descriptor: Int32) -> Int32? {
        var text = line + "\n"
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let base = rest.baseAddress, !rest.isEmpty {
                let written = Glibc.write(descriptor, base, rest.count)
                if written < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            }
            return nil
        }
    }
}
