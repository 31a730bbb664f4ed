import Dispatch
import FasciaAppLink

/// Takes an app's events from its link thread to the main actor in order, at most a few at a time: an app that sends
/// faster than the phone handles waits in its own socket.
final class AppInbox: Sendable {
    private static let depth = 64
    private let room = DispatchSemaphore(value: AppInbox.depth)
    private let deliver: @MainActor @Sendable (AppLinkEvent<AppFromApp>) -> Void

    init(_ deliver: @escaping @MainActor @Sendable (AppLinkEvent<AppFromApp>) -> Void) {
        self.deliver = deliver
    }

    func put(_ event: AppLinkEvent<AppFromApp>) {
        if case .drained = event { return }
        room.wait()
        DispatchQueue.main.async {
            MainActor.assumeIsolated { self.deliver(event) }
            self.room.signal()
        }
    }
}
