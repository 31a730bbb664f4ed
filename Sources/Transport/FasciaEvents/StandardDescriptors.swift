import Glibc

/// Descriptors 0 to 2 as a program may rely on them.
public enum StandardDescriptors {
    /// Opens /dev/null for those that the parent closed. Else the next file or socket would take their number, and what is
    /// said on standard error would be written into it: into the trust store, for instance. Call it before anything else.
    public static func reserve() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is taken, which is this one: those below are open.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
