import Glibc

/// Signals by which a person or the system asks a program to end.
public enum EndSignals {
    /// SIGINT, SIGTERM, and SIGHUP (the terminal was closed) unless the program was started to survive it, as `nohup` does.
    public static var all: [Int32] {
        var action = sigaction()
        let ignoresHangup = sigaction(SIGHUP, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        return [SIGINT, SIGTERM] + (ignoresHangup ? [] : [SIGHUP])
    }
}
