import FasciaEvents
import Foundation
import Synchronization

/// A named pipe to give a program as `--events FILE`: its events are here as soon as they are written.
public final class EventPipe: Sendable {
    public let path: String
    private let lines: Lines
    /// Read, and not asked for yet: programs may write events of several threads in any order.
    private let waiting = Mutex<[EventRecord]>([])

    public init(path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw ToolError("cannot make the pipe \(path): \(String(cString: strerror(errno)))") }
        // For reading and writing: opening does not wait for a writer, and the end of one is not the end of the pipe.
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw ToolError("cannot open the pipe \(path): \(String(cString: strerror(errno)))") }
        self.path = path
        lines = Lines(descriptor: descriptor)
    }

    /// The first event with one of the names among those that happened at `start` or later; older ones are dropped, others stay.
    public func next(_ events: String..., after start: UInt64, from program: String, within seconds: Double = 20) async throws -> EventRecord {
        if let record = take(events, after: start) { return record }
        do {
            let record = try await lines.next(within: seconds) { [self] line -> EventRecord? in
                if let record = EventRecord(line: line) { waiting.withLock { $0.append(record) } }
                return take(events, after: start)
            }
            guard let record else { throw ToolError("\(program) ended before its event \(events.joined(separator: " or "))") }
            return record
        } catch is Lines.TimedOut {
            throw ToolError("\(program) did not report \(events.joined(separator: " or ")) within \(seconds.formatted()) s; run it by hand to see why")
        }
    }

    private func take(_ events: [String], after start: UInt64) -> EventRecord? {
        waiting.withLock { waiting in
            waiting.removeAll { $0.time < start }
            return waiting.firstIndex { events.contains($0.event) }.map { waiting.remove(at: $0) }
        }
    }
}
