import FasciaAppLink
import FasciaAppRuntime

public enum CPMessageLeadingItem: Int, Sendable { case none, pin, star }
public enum CPMessageTrailingItem: Int, Sendable { case none, mute }

/// A conversation in a communication app's list. It has no handler: choosing it starts the voice assistant, which this version
/// does not have, so the row is shown but cannot be chosen.
@preconcurrency @MainActor
open class CPMessageListItem: NSObject, CPListTemplateItem, ListRow {
    let owners = Owners()

    open var conversationIdentifier: String?
    open var phoneOrEmailAddress: String?
    open var text: String? { didSet { owners.itemChanged() } }
    open var detailText: String? { didSet { owners.itemChanged() } }
    open var trailingText: String? { didSet { owners.itemChanged() } }
    open var leadingConfiguration: CPMessageListItemLeadingConfiguration { didSet { owners.itemChanged() } }
    open var trailingConfiguration: CPMessageListItemTrailingConfiguration? { didSet { owners.itemChanged() } }
    open var leadingDetailTextImage: UIImage?
    open var isEnabled = true { didSet { owners.itemChanged() } }
    open var userInfo: Any?

    public init(
        conversationIdentifier: String, text: String, leadingConfiguration: CPMessageListItemLeadingConfiguration,
        trailingConfiguration: CPMessageListItemTrailingConfiguration?, detailText: String?, trailingText: String?
    ) {
        self.conversationIdentifier = conversationIdentifier
        self.text = text
        self.leadingConfiguration = leadingConfiguration
        self.trailingConfiguration = trailingConfiguration
        self.detailText = detailText
        self.trailingText = trailingText
        super.init()
    }

    public init(
        fullName: String, phoneOrEmailAddress: String, leadingConfiguration: CPMessageListItemLeadingConfiguration,
        trailingConfiguration: CPMessageListItemTrailingConfiguration?, detailText: String?, trailingText: String?
    ) {
        text = fullName
        self.phoneOrEmailAddress = phoneOrEmailAddress
        self.leadingConfiguration = leadingConfiguration
        self.trailingConfiguration = trailingConfiguration
        self.detailText = detailText
        self.trailingText = trailingText
        super.init()
    }

    func encode(_ encoder: TemplateEncoder, owner: UInt64) -> AppListItem {
        owners.add(owner)
        var message = AppListItem()
        message.element = owners.element
        message.text = text ?? ""
        let detail = [detailText, trailingText].compactMap { $0 }.joined(separator: " · ")
        message.detail = detail
        message.hasDetail_p = !detail.isEmpty
        message.image = encoder.image(leadingImage)
        message.accessoryImage = encoder.image(trailingImage)
        message.accessory = message.accessoryImage == 0 ? .none : .image
        message.enabled = isEnabled
        return message
    }

    private var leadingImage: UIImage? {
        if let image = leadingConfiguration.leadingImage { return image }
        if leadingConfiguration.isUnread { return UIImage(systemName: "circle.fill") }
        switch leadingConfiguration.leadingItem {
        case .none: return nil
        case .pin: return UIImage(systemName: "pin.fill")
        case .star: return UIImage(systemName: "star.fill")
        }
    }

    private var trailingImage: UIImage? {
        if let image = trailingConfiguration?.trailingImage { return image }
        return trailingConfiguration?.trailingItem == .mute ? UIImage(systemName: "bell.slash.fill") : nil
    }

    func activate(_ activation: AppElementActivated) -> Bool { false }
}

/// What a conversation's row begins with.
open class CPMessageListItemLeadingConfiguration: NSObject {
    public let leadingItem: CPMessageLeadingItem
    public let leadingImage: UIImage?
    public let isUnread: Bool

    public init(leadingItem: CPMessageLeadingItem, leadingImage: UIImage?, unread: Bool) {
        self.leadingItem = leadingItem
        self.leadingImage = leadingImage
        isUnread = unread
        super.init()
    }
}

/// What a conversation's row ends with.
open class CPMessageListItemTrailingConfiguration: NSObject {
    public let trailingItem: CPMessageTrailingItem
    public let trailingImage: UIImage?

    public init(trailingItem: CPMessageTrailingItem, trailingImage: UIImage?) {
        self.trailingItem = trailingItem
        self.trailingImage = trailingImage
        super.init()
    }
}

/// Starts a new message by voice; without an assistant it does nothing.
open class CPMessageComposeBarButton: CPBarButton {
    public convenience init() { self.init(image: UIImage(systemName: "square.and.pencil") ?? UIImage()) }

    public convenience init(image: UIImage) { self.init(image: image, handler: nil) }
}
