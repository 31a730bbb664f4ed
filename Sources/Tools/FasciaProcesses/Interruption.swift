import Dispatch
import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into a stream of one element, so that a command can end its children and say goodbye to the network.
public final class Interruption: Sendable {
    /// Yields the signal number, once.
    public let events: AsyncStream<Int32>
    private let received = Signal()
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal] // not touched after init

    public init() {
        let (events, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.events = events
        let received = received
        sources = [SIGINT, SIGTERM].map { number in
            Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                received.number.withLock { $0 = number }
                continuation.yield(number)
                continuation.finish()
            }
            source.resume()
            return source
        }
    }

    /// The signal that came, if one has.
    public var signal: Int32? { received.number.withLock { $0 } }

    /// The exit status a shell gives a program ended by `signal`.
    public static func status(of signal: Int32) -> Int32 { 128 + signal }
}

private final class Signal: Sendable {
    let number = Mutex<Int32?>(nil)
}
