import Dispatch
import FasciaEvents
import Glibc
import Logging

/// A whole run of `fascia-headunit`: screen, server, console, until somebody ends it.
@MainActor
public final class HeadUnitProgram {
    private let options: HeadUnitOptions
    private let events: EventLog
    private let log: Logger
    private let surface: any ScreenSurface
    private let server: HeadUnitServer
    private var ending: CheckedContinuation<Int32, Never>?
    private var status: Int32?
    private var signals: [any DispatchSourceSignal] = []

    public init(options: HeadUnitOptions, events: EventLog, log: Logger) throws {
        self.options = options
        self.events = events
        self.log = log
        surface = try Self.surface(options, log)
        let sink = try options.sound.output.open { log.warning("\($0)") }
        let sound = CarSound(sink: sink, microphone: Microphone(options.sound.microphone), volumes: options.sound.volumes)
        try sound.start()
        server = try HeadUnitServer(options: options, surface: surface, sound: sound, events: events, log: log, say: StandardStreams.answer)
    }

    private static func surface(_ options: HeadUnitOptions, _ log: Logger) throws(HeadUnitError) -> any ScreenSurface {
        guard !options.headless, WindowSurface.isPossible else { return HeadlessSurface() }
        return try WindowSurface(title: options.name, width: options.profile.width, height: options.profile.height)
    }

    /// Runs until `quit`, an error in the script, the window's closing or a signal.
    /// - Returns: the exit status.
    public func run(environment: [String: String]) async throws -> Int32 {
        catchSignals()
        try await server.start(environment: environment)
        if surface.hasInput { pollSurface() }
        Task { await runConsole() }
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Int32, Never>) in
            if let status { continuation.resume(returning: status) } else { ending = continuation }
        }
        events.emit("stopping", narrated: false)
        await server.stop()
        surface.close()
        return result
    }

    private func end(_ status: Int32) {
        guard self.status == nil else { return }
        self.status = status
        ending?.resume(returning: status)
        ending = nil
    }

    // MARK: Console

    private func runConsole() async {
        let server = server
        let runner = ConsoleRunner(unit: server.unit) { server.inject($0) }
        if let script = options.script {
            for await line in ConsoleInput.lines(of: script.descriptor) {
                guard await run(line, runner, stopAtError: true) else { return end(status ?? 1) }
            }
        }
        guard options.script?.isStandardInput != true else { return }
        for await line in ConsoleInput.lines() {
            guard status == nil else { return }
            _ = await run(line, runner, stopAtError: false)
        }
    }

    /// False when nothing more is to be run.
    private func run(_ line: String, _ runner: ConsoleRunner, stopAtError: Bool) async -> Bool {
        for command in ConsoleCommand.parse(line: line) {
            guard status == nil else { return false }
            let answer: ConsoleRunner.Answer =
                switch command {
                case .success(let command): await runner.run(command)
                case .failure(let error): .error(error.description)
                }
            StandardStreams.answer(answer.line)
            if answer == .quit {
                end(0)
                return false
            }
            if stopAtError, case .error = answer { return false }
        }
        return true
    }

    // MARK: Window

    /// SDL can only be asked, on the main thread: often while somebody does something, seldom else.
    private func pollSurface() {
        let busy: UInt64 = 8_000_000, idle: UInt64 = 33_000_000, calm: UInt64 = 2_000_000_000
        Task {
            var lastInput = MonotonicClock.now()
            while status == nil {
                let inputs = surface.poll()
                for input in inputs {
                    if input == .closed { end(0) } else { server.unit.handle(input) }
                }
                let now = MonotonicClock.now()
                if !inputs.isEmpty { lastInput = now }
                try? await Task.sleep(nanoseconds: now - lastInput < calm ? busy : idle)
            }
        }
    }

    // MARK: Signals

    private func catchSignals() {
        signal(SIGPIPE, SIG_IGN)
        for number in EndSignals.all {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.end(0) } }
            source.resume()
            signals.append(source)
        }
    }
}
