import FasciaAppLink
import FasciaAppRuntime

/// Sections of rows. Rows and sections beyond the car's limits are not shown.
@preconcurrency @MainActor
open class CPListTemplate: CPTemplate, CPBarButtonProviding {
    public private(set) var sections: [CPListSection] { didSet { changed() } }
    public let title: String?
    open weak var delegate: (any CPListTemplateDelegate)? { didSet { changed() } }
    /// Shown while there are no rows.
    open var emptyViewTitleVariants: [String] = [] { didSet { changed() } }
    open var emptyViewSubtitleVariants: [String] = [] { didSet { changed() } }
    open var showsSpinnerWhileEmpty = false { didSet { changed() } }
    open var assistantCellConfiguration: CPAssistantCellConfiguration?
    open var headerGridButtons: [CPGridButton]? { didSet { changed() } }
    open var backButton: CPBarButton? { didSet { changed() } }
    open var leadingNavigationBarButtons: [CPBarButton] = [] { didSet { changed() } }
    open var trailingNavigationBarButtons: [CPBarButton] = [] { didSet { changed() } }

    /// Rows the connected car shows, all sections together; 12 while no car has said.
    open class var maximumItemCount: Int { Limits.listItems }
    open class var maximumSectionCount: Int { Limits.listSections }
    open class var maximumHeaderGridButtonCount: Int { 4 }
    /// Points.
    open class var maximumGridButtonImageSize: CGSize { CPGridTemplate.maximumGridButtonImageSize }

    public init(
        title: String?, sections: [CPListSection], assistantCellConfiguration: CPAssistantCellConfiguration?, headerGridButtons: [CPGridButton]?
    ) {
        self.title = title
        self.sections = sections
        self.assistantCellConfiguration = assistantCellConfiguration
        self.headerGridButtons = headerGridButtons
        super.init(_template: ())
    }

    public convenience init(title: String?, sections: [CPListSection]) {
        self.init(title: title, sections: sections, assistantCellConfiguration: nil, headerGridButtons: nil)
    }

    public convenience init(title: String?, sections: [CPListSection], assistantCellConfiguration: CPAssistantCellConfiguration?) {
        self.init(title: title, sections: sections, assistantCellConfiguration: assistantCellConfiguration, headerGridButtons: nil)
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    public var sectionCount: Int { sections.count }
    public var itemCount: Int { sections.reduce(0) { $0 + $1.items.count } }

    open func updateSections(_ sections: [CPListSection]) { self.sections = sections }

    open func indexPath(for item: any CPListTemplateItem) -> IndexPath? {
        for (number, section) in sections.enumerated() {
            let row = section.index(of: item)
            if row != NSNotFound { return IndexPath(row: row, section: number) }
        }
        return nil
    }

    private var shownHeaderButtons: ArraySlice<CPGridButton> { (headerGridButtons ?? []).prefix(Self.maximumHeaderGridButtonCount) }

    /// The sections and rows within the car's limits.
    private var shown: [(section: CPListSection, items: ArraySlice<any CPListTemplateItem>)] {
        var room = Self.maximumItemCount
        return sections.prefix(Self.maximumSectionCount).compactMap { section in
            let items = section.items.prefix(room)
            room -= items.count
            return items.isEmpty && !section.items.isEmpty ? nil : (section, items)
        }
    }

    override func describe(_ message: inout AppTemplate, _ encoder: TemplateEncoder) {
        message.list = .with { list in
            list.title = title ?? ""
            list.sections = shown.map { section, items in
                section.encode(encoder, owner: token.id) { items.compactMap { ($0 as? any ListRow).map { describe($0, encoder) } } }
            }
            list.emptyTitleVariants = emptyViewTitleVariants
            list.emptySubtitleVariants = emptyViewSubtitleVariants
            list.showsSpinnerWhileEmpty = showsSpinnerWhileEmpty
            list.headerGridButtons = shownHeaderButtons.map { $0.encode(encoder, owner: token.id) }
        }
    }

    private func row(_ element: UInt64) -> (any ListRow)? {
        for (_, items) in shown {
            for item in items {
                if let row = item as? any ListRow, row.owners.element == element { return row }
            }
        }
        return nil
    }

    override func describeItem(_ element: UInt64, _ encoder: TemplateEncoder) -> AppListItem? {
        row(element).map { describe($0, encoder) }
    }

    /// The (deprecated) delegate makes plain rows selectable as well.
    private func describe(_ row: any ListRow, _ encoder: TemplateEncoder) -> AppListItem {
        var item = row.encode(encoder, owner: token.id)
        if row is CPListItem, delegate != nil { item.selectable = true }
        return item
    }

    override func activate(_ activation: AppElementActivated) {
        if let row = row(activation.element) {
            guard row.isEnabled else { return ignore(activation) }
            if row.activate(activation) { return }
            guard let delegate, let item = row as? CPListItem else { return ignore(activation) }
            return delegate.listTemplate(self, didSelect: item, completionHandler: SelectionCompletion.make(activation.selection))
        }
        if let button = shownHeaderButtons.first(where: { $0.owners.element == activation.element }), button.isEnabled { button.handler?(button) }
        let headers = shown.compactMap(\.section.headerButton)
        if let button = headers.first(where: { $0.owners.element == activation.element }), button.isEnabled { button.handler?(button) }
        ignore(activation)
    }
}
