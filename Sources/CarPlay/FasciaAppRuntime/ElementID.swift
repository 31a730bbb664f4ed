import Synchronization

/// Numbers for everything the phone may refer to: templates, rows, buttons, images. Never reused in a process.
package enum ElementID {
    private static let last = Atomic<UInt64>(0)

    package static func next() -> UInt64 {
        last.add(1, ordering: .relaxed).newValue
    }
}

/// Owns an id; tells the session when nothing in the app can name it any more.
package final class ReleaseToken: Sendable {
    package enum Kind: Sendable { case template, image }

    package let id = ElementID.next()
    private let kind: Kind

    package init(_ kind: Kind) {
        self.kind = kind
    }

    deinit {
        PendingChanges.shared.released(kind, id)
    }
}
