import Synchronization

/// The programs running now: whoever is interrupted ends them all.
public enum ChildPrograms {
    private struct Weak {
        weak var child: ChildProgram?
    }

    private static let running = Mutex<[ObjectIdentifier: Weak]>([:])

    static func add(_ child: ChildProgram) {
        running.withLock { running in
            running = running.filter { $0.value.child != nil }
            running[ObjectIdentifier(child)] = Weak(child: child)
        }
    }

    static func remove(_ child: ChildProgram) { running.withLock { $0[ObjectIdentifier(child)] = nil } }

    /// Ends what still runs, one after the other.
    public static func endAll() { for child in running.withLock({ $0.values.compactMap(\.child) }) { child.end() } }
}
