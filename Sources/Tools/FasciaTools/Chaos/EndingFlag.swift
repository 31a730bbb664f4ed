import FasciaProcesses
import Synchronization

/// Set by Ctrl-C.
final class EndingFlag: Sendable {
    private let flag = Mutex(false)
    var value: Bool { flag.withLock { $0 } }

    init(_ interruption: Interruption) {
        Task { [weak self] in
            for await _ in interruption.events { self?.flag.withLock { $0 = true } }
        }
    }
}
