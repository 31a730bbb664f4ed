import FasciaAppLink
import FasciaAppRuntime

public enum CPInformationTemplateLayout: Int, Sendable { case leading, twoColumn }

/// Labels in one or two columns with buttons below: at most ten items and three actions, further ones are not shown.
@preconcurrency @MainActor
open class CPInformationTemplate: CPTemplate, CPBarButtonProviding {
    public let layout: CPInformationTemplateLayout
    open var title: String { didSet { changed() } }
    open var items: [CPInformationItem] { didSet { changed() } }
    open var actions: [CPTextButton] { didSet { changed() } }
    open var backButton: CPBarButton? { didSet { changed() } }
    open var leadingNavigationBarButtons: [CPBarButton] = [] { didSet { changed() } }
    open var trailingNavigationBarButtons: [CPBarButton] = [] { didSet { changed() } }

    public init(title: String, layout: CPInformationTemplateLayout, items: [CPInformationItem], actions: [CPTextButton]) {
        self.title = title
        self.layout = layout
        self.items = items
        self.actions = actions
        super.init(_template: ())
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    override func describe(_ message: inout AppTemplate, _ encoder: TemplateEncoder) {
        message.information = .with { information in
            information.title = title
            information.twoColumn = layout == .twoColumn
            information.items = items.prefix(Limits.informationItems).map { $0.encode() }
            information.actions = actions.prefix(Limits.informationActions).map { $0.encode(owner: token.id) }
        }
    }

    override func activate(_ activation: AppElementActivated) {
        let shown = actions.prefix(Limits.informationActions)
        if let button = shown.first(where: { $0.owners.element == activation.element }) { button.handler?(button) }
        ignore(activation)
    }
}

/// One label of an information screen.
open class CPInformationItem: NSObject, _CPCoding {
    public let title: String?
    public let detail: String?

    public init(title: String?, detail: String?) {
        self.title = title
        self.detail = detail
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }

    func encode() -> AppInformationItem {
        var message = AppInformationItem()
        message.title = title ?? ""
        message.detail = detail ?? ""
        return message
    }
}

/// A label with stars: a rating in steps of one half, of at most one to five.
open class CPInformationRatingItem: CPInformationItem {
    public let rating: NSNumber?
    public let maximumRating: NSNumber?

    public init(rating: NSNumber?, maximumRating: NSNumber?, title: String?, detail: String?) {
        self.rating = rating
        self.maximumRating = maximumRating
        super.init(title: title, detail: detail)
    }

    public required convenience init?(coder: NSCoder) { return nil }

    override func encode() -> AppInformationItem {
        var message = super.encode()
        guard let rating else { return message }
        let maximum = min(5, max(1, maximumRating?.floatValue ?? 5))
        message.hasRating_p = true
        message.rating = min(maximum, max(0, (rating.floatValue * 2).rounded() / 2))
        message.maximumRating = maximum
        return message
    }
}
