import Dispatch
import Synchronization

/// What changed since the last flush. Written from any thread (app code sets properties where it likes), read by the session
/// on the main thread once a run-loop turn. Its size is bounded by the number of live objects, however often they change.
package final class PendingChanges: Sendable {
    package static let shared = PendingChanges()

    package struct Changes: Sendable {
        package var templates: Set<UInt64> = []
        /// Rows by list template.
        package var items: [UInt64: Set<UInt64>] = [:]
        package var nowPlaying = false
        package var remoteCommands = false
        package var releasedTemplates: [UInt64] = []
        package var releasedImages: [UInt64] = []
    }

    private struct State {
        var changes = Changes()
        var flushScheduled = false
        var flush: (@MainActor @Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Sets what runs, on the main thread, once a turn after a change.
    package func onFlush(_ flush: @escaping @MainActor @Sendable () -> Void) {
        state.withLock { $0.flush = flush }
    }

    package func changed(template: UInt64) { change { $0.templates.insert(template) } }

    package func changed(item: UInt64, in templates: some Sequence<UInt64>) {
        change { changes in
            for template in templates { changes.items[template, default: []].insert(item) }
        }
    }

    package func nowPlayingChanged() { change { $0.nowPlaying = true } }

    package func remoteCommandsChanged() { change { $0.remoteCommands = true } }

    func released(_ kind: ReleaseToken.Kind, _ id: UInt64) {
        change { changes in
            switch kind {
            case .template: changes.releasedTemplates.append(id)
            case .image: changes.releasedImages.append(id)
            }
        }
    }

    /// Takes what has gathered, leaving nothing.
    package func take() -> Changes {
        state.withLock { state in
            defer { state.changes = Changes() }
            return state.changes
        }
    }

    /// Asks for a flush though nothing changed.
    package func scheduleFlush() { change { _ in } }

    private func change(_ edit: (inout Changes) -> Void) {
        let schedule = state.withLock { state in
            edit(&state.changes)
            guard !state.flushScheduled, state.flush != nil else { return false }
            state.flushScheduled = true
            return true
        }
        guard schedule else { return }
        DispatchQueue.main.async {
            let flush = self.state.withLock { state in
                state.flushScheduled = false
                return state.flush
            }
            MainActor.assumeIsolated { flush?() }
        }
    }
}
