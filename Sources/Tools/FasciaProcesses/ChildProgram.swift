import Foundation
import Subprocess
import SystemPackage

/// A program this one runs and ends, talked to line by line. Everything that waits has a limit.
public final class ChildProgram: Sendable {
    /// Where its standard error goes.
    public enum Errors: Sendable {
        /// To its standard output, in order.
        case merged
        /// To a new file of this path.
        case file(String)
    }

    /// File name of the program.
    public let name: String
    public let pid: Int32
    private let output: Transcript
    private let input: AsyncStream<[UInt8]>.Continuation
    private let errors: Errors

    /// Starts a program; returns when it runs.
    /// - Parameter environment: added to this process's.
    public init(_ path: String, _ arguments: [String], environment: [String: String] = [:], errors: Errors = .merged) async throws {
        name = URL(fileURLWithPath: path).lastPathComponent
        self.errors = errors
        let variables = environment.compactMap { key, value in Environment.Key(rawValue: key).map { ($0, Optional(value)) } }
        var platform = PlatformOptions()
        platform.processGroupID = 0 // Ctrl-C is for this program, which ends its children in order
        let configuration = Configuration(
            executable: .path(FilePath(path)), arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(variables) { $1 }), platformOptions: platform)
        let (lines, input) = AsyncStream.makeStream(of: [UInt8].self)
        let output = Transcript()
        (self.input, self.output) = (input, output)
        do {
            switch errors {
            case .merged:
                pid = try await Self.start(configuration, lines, output, errors: .combinedWithOutput)
            case .file(let file):
                let log = try FileDescriptor.open(file, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
                pid = try await Self.start(configuration, lines, output, errors: .fileDescriptor(log, closeAfterSpawningProcess: true))
            }
        } catch {
            throw ToolError("\(path) cannot be started: \(error)")
        }
        ChildPrograms.add(self)
    }

    deinit {
        input.finish()
        signal(SIGTERM)
    }

    private static func start(_ configuration: Configuration, _ lines: AsyncStream<[UInt8]>, _ output: Transcript, errors: some ErrorOutputProtocol) async throws -> Int32 {
        let (started, report) = AsyncThrowingStream.makeStream(of: Int32.self)
        Task.detached {
            do {
                let result = try await Subprocess.run(configuration, input: .inputWriter, output: .sequence, error: errors) { execution in
                    report.yield(execution.processIdentifier.value)
                    async let _ = feed(execution.standardInputWriter, lines)
                    for try await buffer in execution.standardOutput { buffer.withUnsafeBytes { output.append($0) } }
                }
                switch result.terminationStatus {
                case .exited(let code): output.end(code)
                case .signaled(let number): output.end(-number)
                }
            } catch {
                output.end(-1)
                report.finish(throwing: error)
            }
        }
        for try await pid in started { return pid }
        throw CancellationError()
    }

    /// Until the lines end; a program that has closed its input is no error.
    private static func feed(_ writer: StandardInputWriter, _ lines: AsyncStream<[UInt8]>) async {
        for await bytes in lines {
            guard (try? await writer.write(bytes)) != nil else { return }
        }
        try? await writer.finish()
    }

    // MARK: Talking

    /// A line on its standard input; lost if the program has ended.
    public func say(_ line: String) { input.yield(Array((line + "\n").utf8)) }

    public func closeInput() { input.finish() }

    /// Says `line` to a console and returns the rest of its "ok" answer.
    /// - Throws: `ToolError`, also for an answer that is an error.
    @discardableResult
    public func ask(_ line: String, within limit: Duration = .seconds(20)) async throws -> String {
        say(line)
        switch await output.line(within: limit, again: false, where: Self.isAnswer) {
        case .found(let answer) where answer.hasPrefix("ok"): return String(answer.dropFirst(3))
        case .found(let answer): throw ToolError("\(name) answered \"\(answer)\" to: \(line)")
        case .ended: throw ToolError("\(name) ended while it was asked: \(line)\n\(lastErrors())")
        case .timedOut: throw ToolError("\(name) did not answer within \(limit): \(line)\n\(lastErrors())")
        }
    }

    private static func isAnswer(_ line: String) -> Bool { line == "ok" || line.hasPrefix("ok ") || line.hasPrefix("error") }

    /// The next answer of the console, which must be `ok`.
    public func nextOK(within limit: Duration = .seconds(30)) async throws {
        let answer = try await line(within: limit, where: Self.isAnswer)
        guard answer.hasPrefix("ok") else { throw ToolError("\(name): \(answer)") }
    }

    /// The next line not read yet that `matches`; lines before it count as read.
    @discardableResult
    public func line(within limit: Duration = .seconds(30), where matches: (String) -> Bool) async throws -> String {
        try found(await output.line(within: limit, again: false, where: matches), limit)
    }

    /// A line that `matches`, whether it was read before or not.
    @discardableResult
    public func anyLine(within limit: Duration = .seconds(30), where matches: (String) -> Bool) async throws -> String {
        try found(await output.line(within: limit, again: true, where: matches), limit)
    }

    private func found(_ search: Transcript.Search, _ limit: Duration) throws -> String {
        switch search {
        case .found(let line): return line
        case .ended: throw ToolError("\(name) ended:\n\(transcript)\n\(lastErrors())")
        case .timedOut: throw ToolError("\(name): the line did not come in \(limit):\n\(transcript)\n\(lastErrors())")
        }
    }

    /// Everything it printed so far.
    public var transcript: String { output.text }

    /// What it said last on standard error, when that goes to a file.
    public func lastErrors() -> String {
        guard case .file(let file) = errors else { return "" }
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(5).joined(separator: "\n")
    }

    // MARK: Ending

    /// Nil while it runs; negative for a signal.
    public var status: Int32? { output.status }

    /// Exit status; negative for a signal.
    public func exitStatus(within limit: Duration = .seconds(30)) async throws -> Int32 {
        guard let status = await output.exitStatus(within: limit) else { throw ToolError("\(name) did not end in \(limit):\n\(transcript)") }
        return status
    }

    /// Nothing happens when it has ended.
    public func signal(_ number: Int32) {
        if output.status == nil, !isGone { _ = kill(pid, number) }
    }

    /// Ended, though perhaps not waited for yet. A pid that was waited for is not ours to ask about.
    private var isGone: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_signo == SIGCHLD
    }

    /// SIGTERM, and SIGKILL when that has not helped within a second; returns when it is gone.
    public func end() {
        ChildPrograms.remove(self)
        signal(SIGTERM)
        let patience = ContinuousClock.now + .seconds(1), limit = patience + .seconds(1)
        while output.status == nil, !isGone, ContinuousClock.now < limit {
            if ContinuousClock.now > patience { signal(SIGKILL) }
            usleep(2_000)
        }
    }
}
