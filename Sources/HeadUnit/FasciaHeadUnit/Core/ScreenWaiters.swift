/// Tasks that wait for the screen to change.
@MainActor
final class ScreenWaiters {
    private var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var nextKey: UInt64 = 0

    /// Returns when `changed` is called, or after `nanoseconds`.
    func wait(atMost nanoseconds: UInt64) async {
        nextKey += 1
        let key = nextKey
        let timeout = Task { [weak self] in
            try? await Task.sleep(nanoseconds: nanoseconds)
            if !Task.isCancelled { self?.resume(key) }
        }
        await withCheckedContinuation { waiting[key] = $0 }
        timeout.cancel()
    }

    func changed() {
        let all = waiting
        waiting = [:]
        for continuation in all.values { continuation.resume() }
    }

    private func resume(_ key: UInt64) { waiting.removeValue(forKey: key)?.resume() }
}
