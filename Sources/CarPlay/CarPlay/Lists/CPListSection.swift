import FasciaAppLink
import FasciaAppRuntime

/// Rows under a header.
open class CPListSection: NSObject, _CPCoding {
    private let owners = Owners()

    public let header: String?
    public let headerSubtitle: String?
    open var headerImage: UIImage? { didSet { owners.templateChanged() } }
    public let headerButton: CPButton?
    public let sectionIndexTitle: String?
    public let items: [any CPListTemplateItem]

    init(all items: [any CPListTemplateItem], header: String?, subtitle: String?, image: UIImage?, button: CPButton?, indexTitle: String?) {
        self.items = items
        self.header = header
        headerSubtitle = subtitle
        headerImage = image
        headerButton = button
        sectionIndexTitle = indexTitle
        super.init()
    }

    public convenience init(items: [CPListItem]) { self.init(items: items, header: nil, sectionIndexTitle: nil) }

    public convenience init(items: [any CPListTemplateItem]) { self.init(items: items, header: nil, sectionIndexTitle: nil) }

    public convenience init(items: [CPListItem], header: String?, sectionIndexTitle: String?) {
        self.init(all: items, header: header, subtitle: nil, image: nil, button: nil, indexTitle: sectionIndexTitle)
    }

    public convenience init(items: [any CPListTemplateItem], header: String?, sectionIndexTitle: String?) {
        self.init(all: items, header: header, subtitle: nil, image: nil, button: nil, indexTitle: sectionIndexTitle)
    }

    public convenience init(
        items: [any CPListTemplateItem], header: String, headerSubtitle: String?, headerImage: UIImage?, headerButton: CPButton?,
        sectionIndexTitle: String?
    ) {
        self.init(all: items, header: header, subtitle: headerSubtitle, image: headerImage, button: headerButton, indexTitle: sectionIndexTitle)
    }

    public required convenience init?(coder: NSCoder) { return nil }

    /// `NSNotFound` if the item is not in this section.
    open func index(of item: any CPListTemplateItem) -> Int { items.firstIndex { $0 === item } ?? NSNotFound }

    open func item(at index: Int) -> any CPListTemplateItem { items[index] }

    @MainActor
    func encode(_ encoder: TemplateEncoder, owner: UInt64, rows: () -> [AppListItem]) -> AppListSection {
        owners.add(owner)
        var message = AppListSection()
        message.header = header ?? ""
        message.headerSubtitle = headerSubtitle ?? ""
        message.headerImage = encoder.image(headerImage)
        if let headerButton { message.headerButton = headerButton.encode(encoder, owner: owner) }
        message.indexTitle = sectionIndexTitle ?? ""
        message.items = rows()
        return message
    }
}
