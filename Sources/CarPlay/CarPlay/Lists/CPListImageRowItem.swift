import FasciaAppLink
import FasciaAppRuntime

/// A row with a title and images below it, each of which can be chosen.
@preconcurrency @MainActor
open class CPListImageRowItem: NSObject, CPSelectableListItem, ListRow {
    let owners = Owners()
    private let style: AppImageRow.Style

    open var text: String? { didSet { owners.itemChanged() } }
    open var elements: [CPListImageRowItemElement] { didSet { owners.itemChanged() } }
    public let allowsMultipleLines: Bool
    open var isEnabled = true { didSet { owners.itemChanged() } }
    open var userInfo: Any?
    /// The title row was chosen.
    open var handler: ((any CPSelectableListItem, @escaping () -> Void) -> Void)? { didSet { owners.itemChanged() } }
    /// An image was chosen.
    open var listImageRowHandler: ((CPListImageRowItem, Int, @escaping () -> Void) -> Void)? { didSet { owners.itemChanged() } }

    public var gridImages: [UIImage] { elements.map(\.image) }
    public var imageTitles: [String] { elements.map { $0.rowTitle ?? "" } }

    /// Points.
    open class var maximumImageSize: CGSize { CGSize(width: 80, height: 80) }

    init(text: String?, style: AppImageRow.Style, elements: [CPListImageRowItemElement], allowsMultipleLines: Bool) {
        self.text = text
        self.style = style
        self.elements = elements
        self.allowsMultipleLines = allowsMultipleLines
        super.init()
    }

    public convenience init(text: String, images: [UIImage]) {
        self.init(text: text, style: .plain, elements: images.map { CPListImageRowItemGridElement(image: $0) }, allowsMultipleLines: false)
    }

    public convenience init(text: String, images: [UIImage], imageTitles: [String]) {
        let elements = images.enumerated().map { index, image in
            CPListImageRowItemRowElement(image: image, title: imageTitles.indices.contains(index) ? imageTitles[index] : nil, subtitle: nil)
        }
        self.init(text: text, style: .row, elements: elements, allowsMultipleLines: false)
    }

    public convenience init(text: String?, elements: [CPListImageRowItemRowElement], allowsMultipleLines: Bool) {
        self.init(text: text, style: .row, elements: elements, allowsMultipleLines: allowsMultipleLines)
    }

    public convenience init(text: String?, cardElements: [CPListImageRowItemCardElement], allowsMultipleLines: Bool) {
        self.init(text: text, style: .card, elements: cardElements, allowsMultipleLines: allowsMultipleLines)
    }

    public convenience init(text: String?, condensedElements: [CPListImageRowItemCondensedElement], allowsMultipleLines: Bool) {
        self.init(text: text, style: .condensed, elements: condensedElements, allowsMultipleLines: allowsMultipleLines)
    }

    public convenience init(text: String?, gridElements: [CPListImageRowItemGridElement], allowsMultipleLines: Bool) {
        self.init(text: text, style: .grid, elements: gridElements, allowsMultipleLines: allowsMultipleLines)
    }

    public convenience init(text: String?, imageGridElements: [CPListImageRowItemImageGridElement], allowsMultipleLines: Bool) {
        self.init(text: text, style: .imageGrid, elements: imageGridElements, allowsMultipleLines: allowsMultipleLines)
    }

    /// Replaces the images, keeping the titles of those that had one.
    open func update(_ gridImages: [UIImage]) {
        elements = gridImages.enumerated().map { index, image in
            guard elements.indices.contains(index) else { return CPListImageRowItemGridElement(image: image) }
            elements[index].image = image
            return elements[index]
        }
    }

    func encode(_ encoder: TemplateEncoder, owner: UInt64) -> AppListItem {
        owners.add(owner)
        var message = AppListItem()
        message.element = owners.element
        message.text = text ?? ""
        message.enabled = isEnabled
        message.selectable = handler != nil
        message.imageRow = .with { row in
            row.style = style
            row.multipleLines = allowsMultipleLines
            row.elements = elements.prefix(CPMaximumNumberOfGridImages).map { $0.encode(encoder, row: owners) }
        }
        return message
    }

    func activate(_ activation: AppElementActivated) -> Bool {
        let completion = SelectionCompletion.make(activation.selection)
        if activation.hasIndex_p {
            let index = Int(activation.index)
            guard let listImageRowHandler, elements.indices.contains(index), elements[index].isEnabled else { return false }
            listImageRowHandler(self, index, completion)
            return true
        }
        guard let handler else { return false }
        handler(self, completion)
        return true
    }
}
