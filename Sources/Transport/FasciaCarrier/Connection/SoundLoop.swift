import FasciaThreads
import Synchronization

/// Precedence of the event loops that carry sound: high, and not real-time, for they carry pictures and whatever a peer sends too.
enum SoundLoop {
    private static let precedence = Mutex<ThreadPrecedence?>(nil)

    /// What they have; nil before the first.
    static var current: ThreadPrecedence? { precedence.withLock(\.self) }

    /// For the loop that calls.
    static func takePrecedence() {
        let taken = ThreadPrecedence.ask(.high)
        precedence.withLock { $0 = taken }
    }
}
