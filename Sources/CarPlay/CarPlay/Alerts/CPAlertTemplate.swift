import FasciaAppLink
import FasciaAppRuntime

/// A modal message with a few choices. Only presented, never pushed.
@preconcurrency @MainActor
open class CPAlertTemplate: CPTemplate {
    /// The longest variant that fits is shown.
    public let titleVariants: [String]
    /// At most `maximumActionCount`: of more, the last ones are kept.
    public let actions: [CPAlertAction]

    open class var maximumActionCount: Int { Limits.alertActions }

    public init(titleVariants: [String], actions: [CPAlertAction]) {
        self.titleVariants = titleVariants
        self.actions = actions.suffix(Limits.alertActions)
        super.init(_template: ())
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    override func describe(_ message: inout AppTemplate, _ encoder: TemplateEncoder) {
        message.alert = .with { alert in
            alert.titleVariants = titleVariants
            alert.actions = actions.map { $0.encode() }
        }
    }

    override func activate(_ activation: AppElementActivated) {
        if let action = actions.first(where: { $0.element == activation.element }) { action.handler(action) }
        ignore(activation)
    }
}
