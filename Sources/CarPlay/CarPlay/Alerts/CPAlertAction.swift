import FasciaAppLink
import FasciaAppRuntime

public typealias CPAlertActionHandler = (CPAlertAction) -> Void

/// A choice in an alert or action sheet.
open class CPAlertAction: NSObject, _CPCoding {
    public enum Style: UInt, Sendable { case `default`, cancel, destructive }

    let element = ElementID.next()
    public let title: String
    public let style: CPAlertAction.Style
    public let color: UIColor?
    public let handler: CPAlertActionHandler

    public init(title: String, style: CPAlertAction.Style, handler: @escaping CPAlertActionHandler) {
        self.title = title
        self.style = style
        color = nil
        self.handler = handler
        super.init()
    }

    public init(title: String, color: UIColor, handler: @escaping CPAlertActionHandler) {
        self.title = title
        style = .default
        self.color = color
        self.handler = handler
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }

    func encode() -> AppAlertAction {
        var message = AppAlertAction()
        message.element = element
        message.title = title
        message.style = style == .cancel ? .cancel : style == .destructive ? .destructive : .default
        message.color = color?.rgba ?? 0
        return message
    }
}
