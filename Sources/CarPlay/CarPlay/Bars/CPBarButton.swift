import FasciaAppLink
import FasciaAppRuntime

public typealias CPBarButtonHandler = (CPBarButton) -> Void

public enum CPBarButtonStyle: Int, Sendable { case none, rounded }

/// A button of a template's navigation bar: a title or an image.
open class CPBarButton: NSObject, _CPCoding {
    public enum `Type`: UInt, Sendable { case text, image }

    let owners = Owners()
    let handler: CPBarButtonHandler?

    public let buttonType: CPBarButton.`Type`
    open var buttonStyle = CPBarButtonStyle.none { didSet { owners.templateChanged() } }
    open var isEnabled = true { didSet { owners.templateChanged() } }
    open var image: UIImage? { didSet { owners.templateChanged() } }
    open var title: String? { didSet { owners.templateChanged() } }

    public init(image: UIImage, handler: CPBarButtonHandler? = nil) {
        buttonType = .image
        self.image = image
        self.handler = handler
        super.init()
    }

    public init(title: String, handler: CPBarButtonHandler? = nil) {
        buttonType = .text
        self.title = title
        self.handler = handler
        super.init()
    }

    public init(type: CPBarButton.`Type`, handler: CPBarButtonHandler? = nil) {
        buttonType = type
        self.handler = handler
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }

    @MainActor
    func encode(_ encoder: TemplateEncoder, owner: UInt64) -> AppBarButton {
        owners.add(owner)
        var message = AppBarButton()
        message.element = owners.element
        message.title = buttonType == .image && image != nil ? "" : title ?? ""
        message.image = encoder.image(image)
        message.enabled = isEnabled
        message.rounded = buttonStyle == .rounded
        return message
    }
}

/// A template with a navigation bar. Two buttons on each side are shown; the back button replaces the standard one.
@preconcurrency @MainActor
public protocol CPBarButtonProviding: NSObjectProtocol {
    var backButton: CPBarButton? { get set }
    var leadingNavigationBarButtons: [CPBarButton] { get set }
    var trailingNavigationBarButtons: [CPBarButton] { get set }
}
