import FasciaAppLink
import FasciaAppRuntime

/// A button with an image, of a contact or a section header.
open class CPButton: NSObject {
    let owners = Owners()
    let handler: ((CPButton) -> Void)?

    open var isEnabled = true { didSet { owners.templateChanged() } }
    public let image: UIImage?
    open var title: String? { didSet { owners.templateChanged() } }

    public init(image: UIImage, handler: ((CPButton) -> Void)? = nil) {
        self.image = image
        self.handler = handler
        super.init()
    }

    @MainActor
    func encode(_ encoder: TemplateEncoder, owner: UInt64) -> AppBarButton {
        owners.add(owner)
        var message = AppBarButton()
        message.element = owners.element
        message.title = title ?? ""
        message.image = encoder.image(image)
        message.enabled = isEnabled
        return message
    }
}
