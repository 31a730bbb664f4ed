import ArgumentParser
import Foundation
import Synchronization

/// A program this one runs and ends. Not ended by Ctrl-C on its own: `ChildPrograms.endAll` does that.
final class ChildProgram: Sendable {
    let name: String
    let output: Lines
    private let process: Process
    private let input: FileHandle
    private let errors: String

    /// - Parameters:
    ///   - errors: file for what it writes on standard error.
    ///   - environment: added to this process's.
    init(_ path: String, _ arguments: [String], errors: String, environment: [String: String] = [:]) throws {
        name = URL(fileURLWithPath: path).lastPathComponent
        self.errors = errors
        process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let toChild = Pipe(), fromChild = Pipe()
        process.standardInput = toChild
        process.standardOutput = fromChild
        guard FileManager.default.createFile(atPath: errors, contents: nil), let log = FileHandle(forWritingAtPath: errors) else {
            throw ToolError("cannot write \(errors)")
        }
        process.standardError = log
        input = toChild.fileHandleForWriting
        do { try process.run() } catch { throw ToolError("\(path) cannot be started: \(error.localizedDescription)") }
        output = Lines(descriptor: fcntl(fromChild.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0))
        ChildPrograms.add(self)
    }

    /// A line on its standard input.
    func say(_ line: String) throws { try input.write(contentsOf: Data((line + "\n").utf8)) }

    /// Says `line` to a console and returns the rest of its "ok" answer.
    func ask(_ line: String, within seconds: Double = 20) async throws -> String {
        try say(line)
        do {
            let answer = try await output.next(within: seconds) { answer in
                answer == "ok" || answer.hasPrefix("ok ") || answer.hasPrefix("error") ? answer : nil
            }
            guard let answer else { throw ToolError("\(name) ended while it was asked: \(line)\n\(lastErrors())") }
            guard answer.hasPrefix("ok") else { throw ToolError("\(name) answered \"\(answer)\" to: \(line)") }
            return String(answer.dropFirst(3))
        } catch is Lines.TimedOut {
            throw ToolError("\(name) did not answer within \(seconds.formatted()) s: \(line)")
        }
    }

    /// What it said last on standard error.
    func lastErrors() -> String {
        let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(5).joined(separator: "\n")
    }

    /// SIGTERM, and SIGKILL when that has not helped within a second; returns when it is gone.
    func end() {
        ChildPrograms.remove(self)
        guard process.isRunning else { return }
        process.terminate()
        let deadline = DispatchTime.now() + .seconds(1)
        while process.isRunning, DispatchTime.now() < deadline { usleep(2_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}

/// The programs running now.
enum ChildPrograms {
    private static let running = Mutex<[ObjectIdentifier: ChildProgram]>([:])

    static func add(_ child: ChildProgram) { running.withLock { $0[ObjectIdentifier(child)] = child } }
    static func remove(_ child: ChildProgram) { running.withLock { $0[ObjectIdentifier(child)] = nil } }
    static func endAll() { for child in running.withLock({ Array($0.values) }) { child.end() } }

    /// Runs `body`; whatever it started is ended with it, also after Ctrl-C.
    static func whileRunning<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let interruption = Interruption()
        defer { endAll() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await signal in interruption.events {
                    endAll()
                    throw ExitCode(Interruption.status(of: signal))
                }
                return nil
            }
            while let result = try await group.next() {
                guard let value = result else { continue }
                group.cancelAll()
                return value
            }
            throw CancellationError()
        }
    }
}
