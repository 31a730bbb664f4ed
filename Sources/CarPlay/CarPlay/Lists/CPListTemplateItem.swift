import FasciaAppLink
import FasciaAppRuntime

/// A row of a list.
@preconcurrency @MainActor
public protocol CPListTemplateItem: NSObjectProtocol {
    var text: String? { get }
    var userInfo: Any? { get set }
    var isEnabled: Bool { get set }
}

/// A row that can be chosen: until the completion block is called it shows a spinner.
@preconcurrency @MainActor
public protocol CPSelectableListItem: CPListTemplateItem {
    var handler: ((any CPSelectableListItem, @escaping () -> Void) -> Void)? { get set }
}

/// What a list template needs of this module's rows.
@MainActor
protocol ListRow: CPListTemplateItem {
    var owners: Owners { get }
    func encode(_ encoder: TemplateEncoder, owner: UInt64) -> AppListItem
    /// The driver chose the row, or one of its images. False: nothing of the row's own handles it.
    func activate(_ activation: AppElementActivated) -> Bool
}
