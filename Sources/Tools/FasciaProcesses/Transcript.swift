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
            let (found, seen) = state.withLock { state -> (String?, Seen) in
                if again { return (state.lines.first(where: matches), Seen(state)) }
                while state.read < state.lines.count {
                    state.read += 1
                    if matches(state.lines[state.read - 1]) { return (state.lines[state.read - 1], Seen(state)) }
                }
                return (nil, Seen(state))
            }
            if let found { return .found(found) }
            if seen.ended != nil { return .ended }
            guard await changed(since: seen, before: deadline) else { return .timedOut }
        }
    }

    func exitStatus(within limit: Duration) async -> Int32? {
        let deadline = ContinuousClock.now + limit
        while true {
            let seen = state.withLock { Seen($0) }
            if let status = seen.ended { return status }
            guard await changed(since: seen, before: deadline) else { return status }
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

    /// What there was when somebody looked: what comes between looking and waiting must not be missed.
    private struct Seen: Equatable {
        var lines: Int
        var ended: Int32?
        init(_ state: borrowing State) { (lines, ended) = (state.lines.count, state.ended) }
    }

    /// False when the deadline passed with nothing new, or the task was cancelled.
    private func changed(since seen: Seen, before deadline: ContinuousClock.Instant) async -> Bool {
        guard deadline > .now, !Task.isCancelled else { return false }
        let alarm = Task { [weak self] in
            try await Task.sleep(until: deadline, clock: .continuous)
            self?.wake { _ in }
        }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let already = state.withLock { state in
                    if Seen(state) != seen || Task.isCancelled { return true }
                    state.waiters[state.nextWaiter] = continuation
                    state.nextWaiter += 1
                    return false
                }
                if already { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
        return !Task.isCancelled && (deadline > .now || state.withLock { Seen($0) != seen })
    }
}
