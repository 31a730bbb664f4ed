/// A person or business with actions. Declared, not drawn.
@preconcurrency @MainActor
open class CPContactTemplate: CPTemplate, CPBarButtonProviding {
    open var contact: CPContact
    open var backButton: CPBarButton?
    open var leadingNavigationBarButtons: [CPBarButton] = []
    open var trailingNavigationBarButtons: [CPBarButton] = []

    public init(contact: CPContact) {
        self.contact = contact
        super.init(_template: ())
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }
}

open class CPContact: NSObject, _CPCoding {
    open var name: String
    open var image: UIImage
    open var subtitle: String?
    open var informativeText: String?
    /// The first four are used.
    open var actions: [CPButton]?

    public init(name: String, image: UIImage) {
        self.name = name
        self.image = image
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }
}

open class CPContactCallButton: CPButton {
    public init(handler: ((CPButton) -> Void)? = nil) { super.init(image: UIImage(systemName: "phone.fill") ?? UIImage(), handler: handler) }
}

open class CPContactDirectionsButton: CPButton {
    public init(handler: ((CPButton) -> Void)? = nil) {
        super.init(image: UIImage(systemName: "arrow.triangle.turn.up.right.diamond.fill") ?? UIImage(), handler: handler)
    }
}

open class CPContactMessageButton: CPButton {
    public let phoneOrEmail: String

    public init(phoneOrEmail: String) {
        self.phoneOrEmail = phoneOrEmail
        super.init(image: UIImage(systemName: "message.fill") ?? UIImage(), handler: nil)
    }
}
