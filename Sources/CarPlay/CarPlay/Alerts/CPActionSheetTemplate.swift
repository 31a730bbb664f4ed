import FasciaAppLink
import FasciaAppRuntime

/// A modal choice between actions that follow from what the driver did. Only presented, never pushed.
@preconcurrency @MainActor
open class CPActionSheetTemplate: CPTemplate {
    public let title: String?
    public let message: String?
    public let actions: [CPAlertAction]

    public init(title: String?, message: String?, actions: [CPAlertAction]) {
        self.title = title
        self.message = message
        self.actions = actions
        super.init(_template: ())
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    override func describe(_ message: inout AppTemplate, _ encoder: TemplateEncoder) {
        message.actionSheet = .with { sheet in
            sheet.title = title ?? ""
            sheet.message = self.message ?? ""
            sheet.actions = actions.map { $0.encode() }
        }
    }

    override func activate(_ activation: AppElementActivated) {
        if let action = actions.first(where: { $0.element == activation.element }) { action.handler(action) }
        ignore(activation)
    }
}
