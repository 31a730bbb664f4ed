import Synchronization

/// Something an interruption pauses.
protocol Interruptible: AnyObject, Sendable {
    /// Stops at once where it is; the app resumes it. True if it played.
    func interrupt() -> Bool
}

/// Everything of the session that may play, so that an interruption finds it.
final class PlayingObjects: Sendable {
    static let shared = PlayingObjects()

    private struct Weak: Sendable { weak var object: (any Interruptible)? }

    private let objects = Mutex<[Weak]>([])

    func add(_ object: any Interruptible) {
        objects.withLock { objects in
            objects.removeAll { $0.object == nil || $0.object === object }
            objects.append(Weak(object: object))
        }
    }

    /// - Returns: whether anything played.
    @discardableResult
    func interrupt() -> Bool {
        let all = objects.withLock { $0.compactMap(\.object) }
        return all.map { $0.interrupt() }.contains(true)
    }

    func stopForDeactivation() -> Bool { interrupt() }
}
