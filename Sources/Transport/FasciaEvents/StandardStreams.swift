import Glibc

/// Unbuffered lines for standard output and error. A reader that went away is no reason to stop.
public enum StandardStreams {
    /// What was asked for.
    public static func output(_ line: String) { _ = write(line, to: STDOUT_FILENO) }
    /// What people should know.
    public static func error(_ line: String) { _ = write(line, to: STDERR_FILENO) }

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
