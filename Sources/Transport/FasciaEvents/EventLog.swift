import Dispatch
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
/// following the file, only ever see whole lines), and as a short line for people. Never waits for a reader: of a pipe that is
/// full lines are kept, then left out, which the event `events-left-out` counts.
///
/// A write that fails later, on a full disk or a closed pipe, is reported once and otherwise ignored: events are a
/// record of the work and never stop it.
public final class EventLog: Sendable {
    private let reportedFailure = Mutex(false)
    private let writer: LineWriter?
    private let path: String
    private let narrate: @Sendable (String) -> Void
    private let observe: @Sendable (EventRecord) -> Void
    private let queue: DispatchQueue?
    private let pending = Mutex<[(EventRecord, Bool)]>([])
    /// Microseconds that lines are late.
    private static let moment: UInt32 = 1_500

    /// Opens (creates or appends to) `path`; nil keeps no file.
    /// - Parameters:
    ///   - narrate: receives the line for people; standard error by default.
    ///   - observe: receives every event, on the thread that emits it.
    ///   - isDeferred: lines are made and written by another thread, in order, a moment later and at the latest when the process ends by
    ///     itself: whoever emits is on the way of a frame.
    public init(
        path: String?, narrate: @escaping @Sendable (String) -> Void = StandardStreams.error, observe: @escaping @Sendable (EventRecord) -> Void = { _ in },
        isDeferred: Bool = false
    ) throws(EventLogError) {
        if let path {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw EventLogError(path: path, errno: errno) }
            signal(SIGPIPE, SIG_IGN) // the file may be a pipe whose reader went away: EPIPE, not the end of the process
            writer = LineWriter(descriptor: descriptor, owned: true) {
                EventRecord(event: "events-left-out", time: MonotonicClock.now(), fields: ["count": .integer(Int64($0))]).line
            }
        } else {
            writer = nil
        }
        self.path = path ?? ""
        self.narrate = narrate
        self.observe = observe
        queue = isDeferred ? DispatchQueue(label: "fascia.events") : nil
        if let queue { ExitFlush.add(queue) }
    }

    /// Records `event` now.
    /// - Parameter narrated: false leaves out the line for people, where they read the same elsewhere.
    /// - Returns: the record, with the time it was given.
    @discardableResult
    public func emit(_ event: String, _ fields: [String: EventValue] = [:], at time: UInt64 = MonotonicClock.now(), narrated: Bool = true) -> EventRecord {
        let record = EventRecord(event: event, time: time, fields: fields)
        observe(record)
        if let queue { enqueue(record, narrated, queue) } else { write(record, narrated) }
        return record
    }

    /// One wake-up for all that happens within a moment, and the work after it: on a small machine the thread that writes would else take
    /// the processor from what the events are about.
    private func enqueue(_ record: EventRecord, _ narrated: Bool, _ queue: DispatchQueue) {
        let isFirst = pending.withLock { pending in
            pending.append((record, narrated))
            return pending.count == 1
        }
        guard isFirst else { return }
        queue.async {
            usleep(Self.moment)
            let records = self.pending.withLock { pending in
                defer { pending = [] }
                return pending
            }
            for (record, narrated) in records { self.write(record, narrated) }
        }
    }

    private func write(_ record: EventRecord, _ narrated: Bool) {
        if let failure = writer?.write(record.line), reportedFailure.withLock({ reported in defer { reported = true }; return !reported }) {
            narrate("event file \(path): \(String(cString: strerror(failure))); events are missing from it from here on")
        }
        if narrated { narrate(record.humanLine) }
    }
}
