import FasciaAppLink
import FasciaAppRuntime

public enum CPListItemAccessoryType: Int, Sendable { case none, disclosureIndicator, cloud }
public enum CPListItemPlayingIndicatorLocation: Int, Sendable { case leading, trailing }

/// A row with text, detail, image and accessory. Changes of a shown row update that row only.
@preconcurrency @MainActor
open class CPListItem: NSObject, CPSelectableListItem, ListRow {
    let owners = Owners()

    public private(set) var text: String? { didSet { owners.itemChanged() } }
    public private(set) var detailText: String? { didSet { owners.itemChanged() } }
    public private(set) var image: UIImage? { didSet { owners.itemChanged() } }
    /// Shown instead of the accessory type's own.
    public private(set) var accessoryImage: UIImage? { didSet { owners.itemChanged() } }
    open var accessoryType: CPListItemAccessoryType { didSet { owners.itemChanged() } }
    open var handler: ((any CPSelectableListItem, @escaping () -> Void) -> Void)? {
        didSet { if (oldValue == nil) != (handler == nil) { owners.itemChanged() } }
    }
    open var userInfo: Any?
    open var isEnabled = true { didSet { if oldValue != isEnabled { owners.itemChanged() } } }
    open var isExplicitContent = false { didSet { owners.itemChanged() } }
    open var isPlaying = false { didSet { if oldValue != isPlaying { owners.itemChanged() } } }
    /// 0 to 1; 0 shows no bar.
    open var playbackProgress: CGFloat = 0 { didSet { if oldValue != playbackProgress { owners.itemChanged() } } }
    open var playingIndicatorLocation = CPListItemPlayingIndicatorLocation.leading { didSet { owners.itemChanged() } }

    /// Deprecated spelling of `isExplicitContent`.
    open var showsExplicitLabel: Bool {
        get { isExplicitContent }
        set { isExplicitContent = newValue }
    }

    public var showsDisclosureIndicator: Bool { accessoryType == .disclosureIndicator }

    /// Points.
    open class var maximumImageSize: CGSize { CGSize(width: 44, height: 44) }

    public init(
        text: String?, detailText: String?, image: UIImage?, accessoryImage: UIImage?, accessoryType: CPListItemAccessoryType
    ) {
        self.text = text
        self.detailText = detailText
        self.image = image
        self.accessoryImage = accessoryImage
        self.accessoryType = accessoryType
        super.init()
    }

    public convenience init(text: String?, detailText: String?) { self.init(text: text, detailText: detailText, image: nil) }

    public convenience init(text: String?, detailText: String?, image: UIImage?) {
        self.init(text: text, detailText: detailText, image: image, accessoryImage: nil, accessoryType: .none)
    }

    public convenience init(text: String?, detailText: String?, image: UIImage?, showsDisclosureIndicator: Bool) {
        self.init(
            text: text, detailText: detailText, image: image, accessoryImage: nil, accessoryType: showsDisclosureIndicator ? .disclosureIndicator : .none)
    }

    open func setText(_ text: String) { self.text = text }
    open func setDetailText(_ detailText: String?) { self.detailText = detailText }
    open func setImage(_ image: UIImage?) { self.image = image }
    open func setAccessoryImage(_ accessoryImage: UIImage?) { self.accessoryImage = accessoryImage }

    func encode(_ encoder: TemplateEncoder, owner: UInt64) -> AppListItem {
        owners.add(owner)
        var message = AppListItem()
        message.element = owners.element
        message.text = text ?? ""
        message.detail = detailText ?? ""
        message.hasDetail_p = detailText != nil
        message.image = encoder.image(image)
        message.accessoryImage = encoder.image(accessoryImage)
        switch accessoryType {
        case .none: message.accessory = .none
        case .disclosureIndicator: message.accessory = .disclosure
        case .cloud: message.accessory = .cloud
        }
        if message.accessoryImage != 0 { message.accessory = .image }
        message.enabled = isEnabled
        message.explicit = isExplicitContent
        message.playing = isPlaying
        message.playingIndicatorTrailing = playingIndicatorLocation == .trailing
        message.progress = Float(min(1, max(0, playbackProgress.isFinite ? playbackProgress : 0)))
        message.selectable = handler != nil
        return message
    }

    func activate(_ activation: AppElementActivated) -> Bool {
        guard let handler else { return false }
        handler(self, SelectionCompletion.make(activation.selection))
        return true
    }
}
