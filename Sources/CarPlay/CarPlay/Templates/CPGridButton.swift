import FasciaAppLink
import FasciaAppRuntime

/// A button of a grid: image and title; the longest title variant that fits is shown.
open class CPGridButton: NSObject, _CPCoding {
    let owners = Owners()
    let handler: ((CPGridButton) -> Void)?

    open var isEnabled = true { didSet { owners.templateChanged() } }
    public private(set) var titleVariants: [String] { didSet { owners.templateChanged() } }
    public private(set) var image: UIImage { didSet { owners.templateChanged() } }
    public let messageConfiguration: CPMessageGridItemConfiguration?

    public convenience init(titleVariants: [String], image: UIImage, handler: ((CPGridButton) -> Void)? = nil) {
        self.init(titleVariants: titleVariants, image: image, messageConfiguration: nil, handler: handler)
    }

    public init(
        titleVariants: [String], image: UIImage, messageConfiguration: CPMessageGridItemConfiguration?, handler: ((CPGridButton) -> Void)? = nil
    ) {
        self.titleVariants = titleVariants
        self.image = image
        self.messageConfiguration = messageConfiguration
        self.handler = handler
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }

    open func updateImage(_ image: UIImage) { self.image = image }

    open func updateTitleVariants(_ titleVariants: [String]) { self.titleVariants = titleVariants }

    @MainActor
    func encode(_ encoder: TemplateEncoder, owner: UInt64) -> AppGridButton {
        owners.add(owner)
        var message = AppGridButton()
        message.element = owners.element
        message.titleVariants = titleVariants
        message.image = encoder.image(image)
        message.enabled = isEnabled
        return message
    }
}

/// The conversation behind a grid button of a communication app.
open class CPMessageGridItemConfiguration: NSObject {
    public let conversationIdentifier: String
    open var isUnread: Bool

    public init(conversationIdentifier: String, unread: Bool) {
        self.conversationIdentifier = conversationIdentifier
        isUnread = unread
        super.init()
    }
}
