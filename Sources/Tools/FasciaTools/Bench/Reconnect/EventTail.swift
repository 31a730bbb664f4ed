import FasciaEvents
import FasciaProcesses
import Foundation
import Synchronization

/// A named pipe to give a program as `--events FILE`. Unlike `EventPipe` it is read only when asked, so that reading it takes no
/// processor time from the programs while the thing measured happens.
final class EventTail: Sendable {
    let path: String
    private let descriptor: Int32
    private let state = Mutex<(records: [EventRecord], rest: [UInt8])>(([], []))
    /// Between two looks.
    private static let pause: Duration = .milliseconds(8)

    init(path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw ToolError("cannot make the pipe \(path): \(String(cString: strerror(errno)))") }
        // For reading and writing: opening does not wait for a writer, and the end of one is not the end of the pipe.
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ToolError("cannot open the pipe \(path): \(String(cString: strerror(errno)))") }
        let setPipeSize: Int32 = 1_031 // F_SETPIPE_SZ, which Glibc's module leaves out
        _ = fcntl(descriptor, setPipeSize, 1 << 20)
        self.path = path
    }

    deinit { close(descriptor) }

    /// All events since `time`, by time; older ones are forgotten.
    func since(_ time: UInt64) -> [EventRecord] {
        state.withLock { state in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                state.rest += buffer[..<count]
            }
            var lines = state.rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            state.rest = Array(lines.popLast() ?? [])
            state.records += lines.compactMap { EventRecord(line: String(decoding: $0, as: UTF8.self)) }
            state.records.removeAll { $0.time < time }
            state.records.sort { $0.time < $1.time }
            return state.records
        }
    }

    /// The first event of these names since `time`.
    func first(_ names: String..., since time: UInt64, of program: ChildProgram, within seconds: Double = 60) async throws -> EventRecord {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if let record = since(time).first(where: { names.contains($0.event) }) { return record }
            guard ContinuousClock.now < deadline else {
                throw ToolError("\(program.name) did not report \(names.joined(separator: " or ")) within \(seconds.formatted()) s\n\(program.lastErrors())")
            }
            if let status = program.status { throw ToolError("\(program.name) ended with status \(status)\n\(program.lastErrors())") }
            try await Task.sleep(for: Self.pause)
        }
    }
}
