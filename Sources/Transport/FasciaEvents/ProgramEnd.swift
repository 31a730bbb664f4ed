import Glibc

/// The end of a program whose threads are still at work.
public enum ProgramEnd {
    /// Writes out what waits to be written, then ends the process at once. `exit` would first run every library's farewell,
    /// which frees what other threads are using at that moment.
    public static func now(_ status: Int32) -> Never {
        ExitFlush.drain()
        fflush(nil)
        _exit(status)
    }
}
