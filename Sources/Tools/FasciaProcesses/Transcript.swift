import Synchronization

/// What one program printed, line by line, and how it ended; waited on by any number of tasks.
final class Transcript: Sendable {
    private struct State {
        var lines: [String] = []
        var read = 0
        var rest: [UInt8] = []
        var ended: Int32?
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    var text: String { state.withLock { $0.lines.joined(separator: "\n") } }
    /// Exit status, negative for a signal; nil while it runs.
    var status: Int32? { state.withLock { $0.ended } }

    func append(_ bytes: some Collection<UInt8>) {
        wake { state in
            state.rest += bytes
            while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
                state.rest.removeSubrange(...end)
            }
        }
    }

    func end(_ status: Int32) {
        wake { state in
            if !state.rest.isEmpty { state.lines.append(String(decoding: state.rest, as: UTF8.self)) }
            state.rest = []
            state.ended = status
        }
    }

    enum Search { case found(String), ended, timedOut }

    /// - Parameter again: look at lines that were read before as well; else lines before the found one count as read.
    func line(within limit: Duration, again: Bool, where matches: (String) -> Bool) async -> Search {
        let deadline = ContinuousClock.now + limit
        while true {
            let (found, isOver) = state.withLock { state -> (String?, Bool) in
                if again { return (state.lines.first(where: matches), state.ended != nil) }
                while state.read < state.lines.count {
                    state.read += 1
                    if matches(state.lines[state.read - 1]) { return (state.lines[state.read - 1], false) }
                }
                return (nil, state.ended != nil)
            }
            if let found { return .found(found) }
            if isOver { return .ended }
            guard await changed(before: deadline) else { return .timedOut }
        }
    }

    func exitStatus(within limit: Duration) async -> Int32? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let status { return status }
            guard await changed(before: deadline) else { return status }
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// False when the deadline passed with nothing new, or the task was cancelled.
    private func changed(before deadline: ContinuousClock.Instant) async -> Bool {
        guard deadline > .now, !Task.isCancelled else { return false }
        let seen = state.withLock { ($0.lines.count, $0.ended) }
        let alarm = Task { [weak self] in
            try await Task.sleep(until: deadline, clock: .continuous)
            self?.wake { _ in }
        }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let already = state.withLock { state in
                    if state.lines.count != seen.0 || state.ended != seen.1 || Task.isCancelled { return true }
                    state.waiters[state.nextWaiter] = continuation
                    state.nextWaiter += 1
                    return false
                }
                if already { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
        return !Task.isCancelled && (deadline > .now || state.withLock { $0.lines.count != seen.0 || $0.ended != seen.1 })
    }
}
