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
/// full, or that nobody has opened, lines are kept, then left out, which the event `events-left-out` counts; so are those that a
/// stalled disk does not take from a deferred log.
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
    private let pending = Mutex(Pending())
    /// Microseconds that lines are late: what a process that is killed loses at the most, unless its disk has stalled.
    private static let moment: UInt32 = 1_500
    /// Records of a deferred log that wait while its file takes none.
    static let mostPending = 16_384

    private struct Pending {
        var records: [(EventRecord, Bool)] = []
        var isScheduled = false
        var leftOut = 0
    }

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
            signal(SIGPIPE, SIG_IGN) // the file may be a pipe whose reader went away: EPIPE, not the end of the process
            let abandoned: @Sendable (Int) -> Void = { narrate("event file \(path): \($0) events are not in it, because nobody read them") }
            // Opening a pipe must not wait for its reader.
            let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
            if descriptor >= 0 {
                writer = LineWriter(descriptor: descriptor, owned: true, leftOutLine: Self.leftOutLine, abandoned: abandoned)
            } else if errno == ENXIO {
                writer = LineWriter(pipe: path, leftOutLine: Self.leftOutLine, abandoned: abandoned)
            } else {
                throw EventLogError(path: path, errno: errno)
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

    @Sendable private static func leftOutLine(_ count: Int) -> String {
        EventRecord(event: "events-left-out", time: MonotonicClock.now(), fields: ["count": .integer(Int64(count))]).line
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
            if pending.records.count < Self.mostPending { pending.records.append((record, narrated)) } else { pending.leftOut += 1 }
            defer { pending.isScheduled = true }
            return !pending.isScheduled
        }
        guard isFirst else { return }
        queue.async {
            usleep(Self.moment)
            let (records, leftOut) = self.pending.withLock { pending in
                defer { pending = Pending() }
                return (pending.records, pending.leftOut)
            }
            for (record, narrated) in records { self.write(record, narrated) }
            if leftOut > 0 { self.writer?.write(Self.leftOutLine(leftOut)) }
        }
    }

    private func write(_ record: EventRecord, _ narrated: Bool) {
        if let failure = writer?.write(record.line), reportedFailure.withLock({ reported in defer { reported = true }; return !reported }) {
            narrate("event file \(path): \(String(cString: strerror(failure))); events are missing from it from here on")
        }
        if narrated { narrate(record.humanLine) }
    }
}
