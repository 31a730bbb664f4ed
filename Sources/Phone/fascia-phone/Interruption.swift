import Dispatch
import FasciaEvents
import Foundation

/// Ends long work cleanly on Ctrl-C, SIGTERM and a closed terminal: the work is cancelled and may say its goodbyes; a second signal ends
/// the process at once.
enum Interruption {
    @MainActor
    static func run(_ work: @escaping @MainActor @Sendable () async throws -> Void) async throws {
        let task = Task { @MainActor in try await work() }
        let sources = EndSignals.all.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { interrupted(task) }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        try await task.value
    }

    private nonisolated static func interrupted(_ task: Task<Void, any Error>) {
        if task.isCancelled { exit(130) }
        task.cancel()
    }
}

/// An error for the person at the terminal.
struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
