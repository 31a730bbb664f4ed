import Glibc
import Synchronization

/// Why an event file could not be opened.
public struct EventLogError: Error, CustomStringConvertible, Sendable {
    public let path: String
    /// The system's error number.
    public let errno: Int32

    public var description: String {
        "cannot write the event file \(path): \(String(cString: strerror(errno))). Give --events a file in a directory that exists and can be written."
    }
}

/// Writes what happened as one JSON object a line, each line in one `write` (so that several threads, and a reader
/// following the file, only ever see whole lines), and as a short line for people.
///
/// A write that fails later, on a full disk or a closed pipe, is reported once and otherwise ignored: events are a
/// record of the work and never stop it.
public final class EventLog: Sendable {
    private struct State: ~Copyable {
        var descriptor: Int32
        var reportedFailure = false
    }

    private let state: Mutex<State>
    private let path: String
    private let narrate: @Sendable (String) -> Void

    /// Opens (creates or appends to) `path`; nil keeps no file.
    /// - Parameter narrate: receives the line for people; standard error by default.
    public init(path: String?, narrate: @escaping @Sendable (String) -> Void = StandardStreams.error) throws(EventLogError) {
        var descriptor: Int32 = -1
        if let path {
            descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw EventLogError(path: path, errno: errno) }
            signal(SIGPIPE, SIG_IGN) // the file may be a pipe whose reader went away: EPIPE, not the end of the process
        }
        self.path = path ?? ""
        self.narrate = narrate
        state = Mutex(State(descriptor: descriptor))
    }

    deinit {
        state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
    }

    /// Records `event` now.
    /// - Parameter narrated: false leaves out the line for people, where they read the same elsewhere.
    /// - Returns: the record, with the time it was given.
    @discardableResult
    public func emit(_ event: String, _ fields: [String: EventValue] = [:], at time: UInt64 = MonotonicClock.now(), narrated: Bool = true) -> EventRecord {
        let record = EventRecord(event: event, time: time, fields: fields)
        let failure: Int32? = state.withLock { state in
            guard state.descriptor >= 0, let failure = StandardStreams.write(record.line, to: state.descriptor) else { return nil }
            defer { state.reportedFailure = true }
            return state.reportedFailure ? nil : failure
        }
        if let failure {
            narrate("event file \(path): \(String(cString: strerror(failure))); events are missing from it from here on")
        }
        if narrated { narrate(record.humanLine) }
        return record
    }
}
