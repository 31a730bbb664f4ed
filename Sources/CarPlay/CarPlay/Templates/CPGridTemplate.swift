import FasciaAppLink
import FasciaAppRuntime

/// Up to eight buttons with images; more than four take two rows. Further buttons are not shown.
@preconcurrency @MainActor
open class CPGridTemplate: CPTemplate, CPBarButtonProviding {
    public private(set) var gridButtons: [CPGridButton] { didSet { changed() } }
    public private(set) var title: String { didSet { changed() } }
    open var backButton: CPBarButton? { didSet { changed() } }
    open var leadingNavigationBarButtons: [CPBarButton] = [] { didSet { changed() } }
    open var trailingNavigationBarButtons: [CPBarButton] = [] { didSet { changed() } }

    /// Points.
    open class var maximumGridButtonImageSize: CGSize { CGSize(width: 40, height: 40) }

    public init(title: String?, gridButtons: [CPGridButton]) {
        self.title = title ?? ""
        self.gridButtons = gridButtons
        super.init(_template: ())
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    open func updateGridButtons(_ gridButtons: [CPGridButton]) { self.gridButtons = gridButtons }

    open func updateTitle(_ title: String) { self.title = title }

    private var shown: ArraySlice<CPGridButton> { gridButtons.prefix(Limits.gridButtons) }

    override func describe(_ message: inout AppTemplate, _ encoder: TemplateEncoder) {
        message.grid = .with { grid in
            grid.title = title
            grid.buttons = shown.map { $0.encode(encoder, owner: token.id) }
        }
    }

    override func activate(_ activation: AppElementActivated) {
        if let button = shown.first(where: { $0.owners.element == activation.element }), button.isEnabled { button.handler?(button) }
        ignore(activation)
    }
}
