import Dispatch
import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into a stream of one element, so that a command can end its children and say goodbye to the network.
public final class Interruption: Sendable {
    /// Yields the signal number, once.
    public let events: AsyncStream<Int32>
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal] // not touched after init

    public init() {
        let (events, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.events = events
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                continuation.yield(number)
                continuation.finish()
            }
            source.resume()
            return source
        }
    }

    /// The exit status a shell gives a program ended by `signal`.
    public static func status(of signal: Int32) -> Int32 { 128 + signal }
}
