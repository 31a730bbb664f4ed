import FasciaAppLink
import FasciaAppRuntime

/// One image of an image row.
@preconcurrency @MainActor
open class CPListImageRowItemElement: NSObject {
    private weak var row: Owners?

    open var image: UIImage { didSet { elementChanged() } }
    open var isEnabled = true { didSet { elementChanged() } }

    /// Points.
    open class var maximumImageSize: CGSize { CGSize(width: 80, height: 80) }

    init(element image: UIImage) {
        self.image = image
        super.init()
    }

    func elementChanged() { row?.itemChanged() }

    var rowTitle: String? { nil }
    var rowSubtitle: String? { nil }
    var isCircular: Bool { false }

    func encode(_ encoder: TemplateEncoder, row: Owners) -> AppImageRowElement {
        self.row = row
        var message = AppImageRowElement()
        message.image = encoder.image(image)
        message.title = rowTitle ?? ""
        message.subtitle = rowSubtitle ?? ""
        message.enabled = isEnabled
        message.circular = isCircular
        return message
    }
}

/// An image with a title and subtitle below.
@preconcurrency @MainActor
open class CPListImageRowItemRowElement: CPListImageRowItemElement {
    open var title: String? { didSet { elementChanged() } }
    open var subtitle: String? { didSet { elementChanged() } }

    public init(image: UIImage, title: String?, subtitle: String?) {
        self.title = title
        self.subtitle = subtitle
        super.init(element: image)
    }

    override var rowTitle: String? { title }
    override var rowSubtitle: String? { subtitle }
}

/// A card: an image with title and subtitle on a coloured ground.
@preconcurrency @MainActor
open class CPListImageRowItemCardElement: CPListImageRowItemElement {
    public let showsImageFullHeight: Bool
    open var title: String { didSet { elementChanged() } }
    open var subtitle: String? { didSet { elementChanged() } }
    open var tintColor: UIColor? { didSet { elementChanged() } }

    /// Points.
    open class var maximumFullHeightImageSize: CGSize { CGSize(width: 120, height: 120) }

    public init(image: UIImage, showsImageFullHeight: Bool, title: String?, subtitle: String?, tintColor: UIColor?) {
        self.showsImageFullHeight = showsImageFullHeight
        self.title = title ?? ""
        self.subtitle = subtitle
        self.tintColor = tintColor
        super.init(element: image)
    }

    override var rowTitle: String? { title }
    override var rowSubtitle: String? { subtitle }
}

/// A small image with texts beside it.
@preconcurrency @MainActor
open class CPListImageRowItemCondensedElement: CPListImageRowItemElement {
    public enum Shape: Int, Sendable { case circular = 0, roundedRectangle = 1 }

    public let imageShape: Shape
    open var title: String { didSet { elementChanged() } }
    open var subtitle: String? { didSet { elementChanged() } }
    open var accessorySymbolName: String? { didSet { elementChanged() } }

    public init(image: UIImage, imageShape: Shape, title: String, subtitle: String?, accessorySymbolName: String?) {
        self.imageShape = imageShape
        self.title = title
        self.subtitle = subtitle
        self.accessorySymbolName = accessorySymbolName
        super.init(element: image)
    }

    override var rowTitle: String? { title }
    override var rowSubtitle: String? { subtitle }
    override var isCircular: Bool { imageShape == .circular }
}

/// An image alone.
@preconcurrency @MainActor
open class CPListImageRowItemGridElement: CPListImageRowItemElement {
    public init(image: UIImage) { super.init(element: image) }
}

/// An image with a title, in a grid.
@preconcurrency @MainActor
open class CPListImageRowItemImageGridElement: CPListImageRowItemElement {
    public enum Shape: Int, Sendable { case circular = 0, roundedRectangle = 1 }

    public let imageShape: Shape
    open var title: String { didSet { elementChanged() } }
    open var accessorySymbolName: String? { didSet { elementChanged() } }

    public init(image: UIImage, imageShape: Shape, title: String, accessorySymbolName: String?) {
        self.imageShape = imageShape
        self.title = title
        self.accessorySymbolName = accessorySymbolName
        super.init(element: image)
    }

    override var rowTitle: String? { title }
    override var isCircular: Bool { imageShape == .circular }
}
