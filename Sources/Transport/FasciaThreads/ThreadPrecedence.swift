import CScheduling
import Glibc

/// How soon a thread runs when its time has come and others are busy. Sound is a little work often: a thread that comes some milliseconds
/// late is heard. As much as the system grants is taken, and nothing is wrong when that is nothing.
public enum ThreadPrecedence: String, Sendable {
    /// Before all ordinary threads (SCHED_RR). For root, and where RLIMIT_RTPRIO allows it: `LimitRTPRIO=` of a service, limits.d of a user.
    case realTime = "real-time"
    /// Before ordinary threads, as long as it does little (nice -11). For root, and where RLIMIT_NICE allows it.
    case high = "high"
    /// Its turns are short, and so come soon (Linux 6.12). For everybody.
    case short = "short-slices"
    case ordinary = "ordinary"

    /// Nanoseconds of a turn; the shortest there is.
    private static let slice: UInt64 = 100_000
    private static let nice: Int32 = -11
    /// Nanoseconds.
    private static let exact: UInt = 1

    /// Asks for the calling thread. What it starts has no precedence.
    /// - Parameters:
    ///   - wanted: the best that it shall have.
    ///   - name: of the thread, as tools show it: at most 15 bytes.
    ///   - priority: among real-time threads, from 1.
    /// - Returns: what it has.
    @discardableResult
    public static func ask(_ wanted: ThreadPrecedence, name: String? = nil, priority: UInt32 = 5) -> ThreadPrecedence {
        if let name { _ = fascia_set_thread_name(name) }
        _ = fascia_set_timer_slack(exact)
        if wanted == .realTime, fascia_set_scheduling(UInt32(SCHED_RR), 0, priority, 0) == 0 { return .realTime }
        if wanted == .realTime || wanted == .high, fascia_set_scheduling(UInt32(SCHED_OTHER), nice, 0, slice) == 0 { return .high }
        let now = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        return wanted != .ordinary && fascia_set_scheduling(UInt32(SCHED_OTHER), now, 0, slice) == 0 ? .short : .ordinary
    }

    /// Processor time that a real-time thread of this process may take without waiting. After it the system ends the process: SIGXCPU,
    /// and SIGKILL for one that takes no notice.
    public static func limitRealTime(microseconds: UInt) { _ = fascia_limit_real_time(microseconds) }
}
