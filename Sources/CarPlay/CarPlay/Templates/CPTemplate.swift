import FasciaAppLink
import FasciaAppRuntime

/// What a car screen can show: filled by the app, laid out and drawn by the phone. Apps use the subclasses of this module;
/// subclasses of their own are refused by `CPInterfaceController`.
@preconcurrency @MainActor
open class CPTemplate: NSObject, _CPCoding {
    let token = ReleaseToken(.template)

    open var userInfo: Any?
    /// The title in a tab bar.
    open var tabTitle: String? { didSet { changed() } }
    /// The image in a tab bar, 24 points.
    open var tabImage: UIImage? { didSet { changed() } }
    /// Used when neither `tabTitle` nor `tabImage` is set.
    open var tabSystemItem = UITabBarItem.SystemItem.more { didSet { changed() } }
    open var showsTabBadge = false { didSet { changed() } }

    /// Not for apps. Public so that subclasses of the templates inherit their initializers, as they do on iOS.
    public init(_template: Void) {
        super.init()
        AppSession.shared.register(self)
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    /// Tells the session that the phone's copy is out of date.
    func changed() { PendingChanges.shared.changed(template: token.id) }

    // Overridden by every kind.

    func describe(_ message: inout AppTemplate, _ encoder: TemplateEncoder) {}

    func describeItem(_ element: UInt64, _ encoder: TemplateEncoder) -> AppListItem? { nil }

    /// Something of the kind's own was chosen; bar buttons are handled before.
    func activate(_ activation: AppElementActivated) { AppSession.shared.completeSelection(activation.selection) }

    /// The driver's selection went to something that is gone or disabled.
    final func ignore(_ activation: AppElementActivated) { AppSession.shared.completeSelection(activation.selection) }
}

extension CPTemplate: TemplateSource {
    package var templateID: UInt64 { token.id }

    package func encodeTemplate(_ encoder: TemplateEncoder) -> AppTemplate {
        var message = AppTemplate()
        message.id = token.id
        message.tabTitle = tabTitle ?? ""
        message.tabImage = encoder.image(tabImage)
        message.tabSystemItem = tabTitle == nil && tabImage == nil ? Int32(tabSystemItem.rawValue) : -1
        message.showsTabBadge = showsTabBadge
        if let bar = self as? any CPBarButtonProviding {
            message.leadingButtons = bar.leadingNavigationBarButtons.prefix(Limits.barButtonsEachSide).map { $0.encode(encoder, owner: token.id) }
            message.trailingButtons = bar.trailingNavigationBarButtons.prefix(Limits.barButtonsEachSide).map { $0.encode(encoder, owner: token.id) }
            if let back = bar.backButton { message.backButton = back.encode(encoder, owner: token.id) }
        }
        describe(&message, encoder)
        return message
    }

    package func encodeItem(_ element: UInt64, _ encoder: TemplateEncoder) -> AppListItem? { describeItem(element, encoder) }

    package func activated(_ activation: AppElementActivated) {
        if let bar = self as? any CPBarButtonProviding {
            let buttons = bar.leadingNavigationBarButtons + bar.trailingNavigationBarButtons + [bar.backButton].compactMap { $0 }
            if let button = buttons.first(where: { $0.owners.element == activation.element }) {
                if button.isEnabled { button.handler?(button) }
                return ignore(activation)
            }
        }
        activate(activation)
    }
}
