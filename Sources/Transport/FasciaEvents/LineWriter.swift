import Dispatch
import Foundation
import Synchronization

/// Writes lines to a descriptor and never makes the caller wait for whoever reads at the other end: what a pipe, a socket or a
/// terminal does not take at once is kept, up to `limit`, and written by a thread when there is room; beyond that lines are left
/// out and counted. A file on disk is written directly. A named pipe that nobody has opened for reading yet takes nothing.
///
/// Lines come whole and in order.
final class LineWriter: Sendable {
    /// Bytes kept for a reader that does not read.
    static let limit = 1 << 20
    /// How long the end of the process waits for readers, all writers together.
    static let lastWait: Duration = .milliseconds(500)

    private enum Way {
        /// Writing never waits: a disk, or a description of our own that is non-blocking.
        case write
        case send
        /// The description is shared with others, who would be surprised if it did not block: only as much as `poll` says there is room for.
        case careful
    }

    private struct State {
        var waiting: [[UInt8]] = []
        var bytes = 0
        var leftOut = 0
        var hasThread = false
        var failure: Int32?
        /// -1: a named pipe without a reader.
        var descriptor: Int32
    }

    /// The named pipe, to be opened when there is a reader.
    private let pipe: String?
    private let owns: Bool
    private let way: Way
    private let leftOutLine: @Sendable (Int) -> String
    private let abandoned: @Sendable (Int) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - owned: nobody else has this file description; closed with the writer.
    ///   - leftOutLine: what to write for so many lines left out.
    ///   - abandoned: told at the end of the process how many lines nobody took.
    init(descriptor: Int32, owned: Bool, leftOutLine: @escaping @Sendable (Int) -> String, abandoned: @escaping @Sendable (Int) -> Void = { _ in }) {
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        var own = descriptor
        switch kind {
        case S_IFSOCK: way = .send
        case S_IFIFO, S_IFCHR:
            if owned {
                way = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 ? .write : .careful
            } else {
                let again = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
                if again >= 0 { own = again }
                way = again >= 0 ? .write : .careful
            }
        default: way = .write
        }
        state = Mutex(State(descriptor: own))
        pipe = nil
        owns = owned || own != descriptor
        self.leftOutLine = leftOutLine
        self.abandoned = abandoned
        ExitFlush.add(self)
    }

    /// Writes to a named pipe once someone reads it.
    init(pipe: String, leftOutLine: @escaping @Sendable (Int) -> String, abandoned: @escaping @Sendable (Int) -> Void) {
        (self.pipe, way, owns) = (pipe, .write, true)
        state = Mutex(State(descriptor: -1))
        self.leftOutLine = leftOutLine
        self.abandoned = abandoned
        ExitFlush.add(self)
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if owns, descriptor >= 0 { close(descriptor) }
    }

    /// - Returns: the `errno` of a write that failed, now or since the last call; nil when all is well, or waits.
    @discardableResult
    func write(_ line: String) -> Int32? {
        let bytes = Array((line + "\n").utf8)
        let (failure, startThread): (Int32?, Bool) = state.withLock { state in
            defer { state.failure = nil }
            if state.waiting.isEmpty {
                switch attempt(bytes[...], &state) {
                case .success(bytes.count): return (state.failure, false)
                case .success(let count): keep(Array(bytes[count...]), &state)
                case .failure(let error): return (error.rawValue, false)
                }
            } else if state.bytes + bytes.count > Self.limit {
                state.leftOut += 1
            } else {
                keep(bytes, &state)
            }
            defer { state.hasThread = true }
            return (state.failure, !state.hasThread)
        }
        if startThread { Thread.detachNewThread { self.writeWhenThereIsRoom() } }
        return failure
    }

    /// Waits until nothing is kept any more, or `deadline`; then says how many lines are lost.
    func drain(until deadline: ContinuousClock.Instant) {
        while ContinuousClock.now < deadline, state.withLock({ !$0.waiting.isEmpty }) { usleep(1_000) }
        let lost = state.withLock { $0.waiting.count + $0.leftOut }
        if lost > 0 { abandoned(lost) }
    }

    private func keep(_ bytes: [UInt8], _ state: inout State) {
        state.waiting.append(bytes)
        state.bytes += bytes.count
    }

    private struct SystemError: Error { let rawValue: Int32 }

    /// Writes what there is room for. - Returns: how many bytes that were.
    private func attempt(_ bytes: ArraySlice<UInt8>, _ state: inout State) -> Result<Int, SystemError> {
        if state.descriptor < 0, let pipe {
            state.descriptor = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if state.descriptor < 0 { return errno == ENXIO || errno == EINTR ? .success(0) : .failure(SystemError(rawValue: errno)) }
        }
        let descriptor = state.descriptor
        var done = 0
        while done < bytes.count {
            let written = bytes.dropFirst(done).withUnsafeBytes { rest -> Int in
                switch way {
                case .write: return Glibc.write(descriptor, rest.baseAddress, rest.count)
                case .send: return Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                case .careful:
                    guard Self.hasRoom(descriptor, milliseconds: 0) else {
                        errno = EAGAIN
                        return -1
                    }
                    return Glibc.write(descriptor, rest.baseAddress, min(rest.count, Int(PIPE_BUF)))
                }
            }
            if written >= 0 { done += written } else if errno == EAGAIN || errno == EWOULDBLOCK { break } else if errno != EINTR { return .failure(SystemError(rawValue: errno)) }
        }
        return .success(done)
    }

    private static func hasRoom(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return Glibc.poll(&poll, 1, milliseconds) > 0
    }

    private func writeWhenThereIsRoom() {
        while true {
            let descriptor = state.withLock { $0.descriptor }
            _ = Self.hasRoom(descriptor, milliseconds: descriptor < 0 ? 100 : 1_000)
            let isDone = state.withLock { state in
                while let first = state.waiting.first {
                    switch attempt(first[...], &state) {
                    case .success(first.count):
                        state.waiting.removeFirst()
                        state.bytes -= first.count
                    case .success(let count):
                        state.waiting[0] = Array(first[count...])
                        state.bytes -= count
                        return false
                    case .failure(let error): // nobody reads any more
                        state.failure = error.rawValue
                        state.waiting = []
                        state.bytes = 0
                        state.leftOut = 0
                    }
                    if state.waiting.isEmpty, state.leftOut > 0 {
                        keep(Array((leftOutLine(state.leftOut) + "\n").utf8), &state)
                        state.leftOut = 0
                    }
                }
                state.hasThread = false
                return true
            }
            if isDone { return }
        }
    }
}

/// Gives readers a moment when the process ends.
enum ExitFlush {
    private struct WeakWriter { weak var writer: LineWriter? }
    private static let writers = Mutex<[WeakWriter]>([])
    private static let queues = Mutex<[DispatchQueue]>([])
    private static let registered: Void = { atexit { ExitFlush.drain() } }()

    static func add(_ writer: LineWriter) {
        _ = registered
        writers.withLock { all in
            all.removeAll { $0.writer == nil }
            all.append(WeakWriter(writer: writer))
        }
    }

    /// What waits on `queue` is written before the writers are waited for.
    static func add(_ queue: DispatchQueue) {
        _ = registered
        queues.withLock { $0.append(queue) }
    }

    static func drain() {
        for queue in queues.withLock({ $0 }) {
            let done = DispatchSemaphore(value: 0)
            queue.async { done.signal() }
            _ = done.wait(timeout: .now() + .milliseconds(500))
        }
        let deadline = ContinuousClock.now + LineWriter.lastWait
        for writer in writers.withLock({ $0.compactMap(\.writer) }) { writer.drain(until: deadline) }
    }
}
