import Foundation
import Synchronization

/// A program of ours running for real, with its output read line by line. Everything waits for a line or for the end of
/// the process, with a limit that only a broken program reaches.
final class ChildProcess: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private struct State {
        var lines: [String] = []
        var read = 0
        var ended: Int32?
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    let name: String
    private let process: Mutex<Process>
    private let input: FileHandle
    private let state = Mutex(State())

    static let programs = Bundle.main.bundleURL

    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        name = program
        let process = Process()
        process.executableURL = program.hasPrefix("/") ? URL(fileURLWithPath: program) : Self.programs.appendingPathComponent(program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let input = Pipe(), output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        self.input = input.fileHandleForWriting
        self.process = Mutex(process)
        let lines = LineReader()
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil } else { self?.append(lines.take(data)) }
        }
        process.terminationHandler = { [weak self] process in
            self?.ended(process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus)
        }
        try process.run()
    }

    var pid: Int32 { process.withLock { $0.processIdentifier } }
    /// Everything it printed so far, for messages of failing tests.
    var transcript: String { state.withLock { $0.lines.joined(separator: "\n") } }

    func write(_ line: String) { try? input.write(contentsOf: Data((line + "\n").utf8)) }
    func closeInput() { try? input.close() }
    func terminate() { process.withLock { if $0.isRunning { $0.terminate() } } }
    func kill() { _ = Foundation.kill(pid, SIGKILL) }
    func interrupt() { _ = Foundation.kill(pid, SIGINT) }

    /// The next line not read yet that `matches`; lines before it count as read.
    func line(within limit: Duration = .seconds(30), where matches: (String) -> Bool) async throws -> String {
        let deadline = ContinuousClock.now + limit
        while true {
            let found = state.withLock { state -> String? in
                while state.read < state.lines.count {
                    state.read += 1
                    if matches(state.lines[state.read - 1]) { return state.lines[state.read - 1] }
                }
                return nil
            }
            if let found { return found }
            if state.withLock({ $0.ended != nil && $0.read == $0.lines.count }) { throw Failure(description: "\(name) ended:\n\(transcript)") }
            guard await changed(before: deadline) else { throw Failure(description: "\(name): the line did not come in \(limit):\n\(transcript)") }
        }
    }

    /// A line that `matches`, whether it was read before or not.
    func anyLine(within limit: Duration = .seconds(30), where matches: (String) -> Bool) async throws -> String {
        let deadline = ContinuousClock.now + limit
        while true {
            if let found = state.withLock({ $0.lines.first(where: matches) }) { return found }
            guard state.withLock({ $0.ended == nil }), await changed(before: deadline) else {
                throw Failure(description: "\(name): the line did not come:\n\(transcript)")
            }
        }
    }

    /// The next answer of the console, which must be `ok`.
    func nextOK() async throws {
        let answer = try await line { $0 == "ok" || $0.hasPrefix("ok ") || $0.hasPrefix("error") }
        guard answer.hasPrefix("ok") else { throw Failure(description: answer) }
    }

    /// Exit status; negative for a signal.
    func exitStatus(within limit: Duration = .seconds(30)) async throws -> Int32 {
        let deadline = ContinuousClock.now + limit
        while true {
            if let status = state.withLock({ $0.ended }) { return status }
            guard await changed(before: deadline) else { throw Failure(description: "\(name) did not end in \(limit):\n\(transcript)") }
        }
    }

    private func append(_ lines: [String]) {
        wake { $0.lines += lines }
    }

    private func ended(_ status: Int32) {
        wake { $0.ended = status }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// False when the deadline passed with nothing new.
    private func changed(before deadline: ContinuousClock.Instant) async -> Bool {
        guard deadline > .now else { return false }
        let seen = state.withLock { ($0.lines.count, $0.ended) }
        let alarm = Task { [weak self] in
            try await Task.sleep(until: deadline, clock: .continuous)
            self?.wake { _ in }
        }
        defer { alarm.cancel() }
        await withCheckedContinuation { continuation in
            let already = state.withLock { state in
                if state.lines.count != seen.0 || state.ended != seen.1 { return true }
                state.waiters[state.nextWaiter] = continuation
                state.nextWaiter += 1
                return false
            }
            if already { continuation.resume() }
        }
        return true
    }
}

/// Cuts a stream of bytes into lines.
final class LineReader: Sendable {
    private let rest = Mutex(Data())

    func take(_ data: Data) -> [String] {
        rest.withLock { rest in
            rest.append(data)
            var lines: [String] = []
            while let end = rest.firstIndex(of: 10) {
                lines.append(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                rest = Data(rest[rest.index(after: end)...])
            }
            return lines
        }
    }
}
