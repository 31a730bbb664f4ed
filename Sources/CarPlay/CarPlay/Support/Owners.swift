import FasciaAppRuntime
import Synchronization

/// The templates that show an element. An element learns of a template when that template is described to the phone, and
/// tells it from then on when a property changes, from whatever thread.
final class Owners: Sendable {
    let element = ElementID.next()
    private let templates = Mutex<Set<UInt64>>([])

    func add(_ template: UInt64) { templates.withLock { _ = $0.insert(template) } }

    func remove(_ template: UInt64) { templates.withLock { _ = $0.remove(template) } }

    /// The whole template is sent again.
    func templateChanged() {
        for template in templates.withLock({ $0 }) { PendingChanges.shared.changed(template: template) }
    }

    /// Only this row is sent again.
    func itemChanged() {
        let owners = templates.withLock { $0 }
        if !owners.isEmpty { PendingChanges.shared.changed(item: element, in: owners) }
    }
}
