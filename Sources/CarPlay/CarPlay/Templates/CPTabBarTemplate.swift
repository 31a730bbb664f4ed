import FasciaAppLink
import FasciaAppRuntime

/// Tabs, each with a stack of its own. Set as root, never pushed or presented. More than `maximumTabCount` tabs, or a
/// template that cannot be a tab, raises.
@preconcurrency @MainActor
open class CPTabBarTemplate: CPTemplate {
    public private(set) var templates: [CPTemplate]
    public private(set) var selectedTemplate: CPTemplate?
    open weak var delegate: (any CPTabBarTemplateDelegate)?

    /// Depends on the app's category: 4 for audio, 5 for others.
    open class var maximumTabCount: Int { CategoryRules.current.tabs }

    public init(templates: [CPTemplate]) {
        self.templates = templates
        selectedTemplate = templates.first
        super.init(_template: ())
        check(templates)
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    /// Replaces the tabs; the selected one stays selected if it is still there.
    open func updateTemplates(_ newTemplates: [CPTemplate]) {
        check(newTemplates)
        templates = newTemplates
        if !newTemplates.contains(where: { $0 === selectedTemplate }) { selectedTemplate = newTemplates.first }
        changed()
    }

    open func select(_ newTemplate: CPTemplate) {
        guard templates.contains(where: { $0 === newTemplate }) else {
            return Faults.raise(ExceptionName.invalidArgument, "The template is not one of this tab bar's templates.")
        }
        selectedTemplate = newTemplate
        let ids = (tabBar: token.id, template: newTemplate.token.id)
        AppSession.shared.enqueue(.with { $0.selectTab = .with { $0.tabBar = ids.tabBar; $0.template = ids.template } })
    }

    open func selectTemplate(at index: Int) {
        guard templates.indices.contains(index) else {
            return Faults.raise(ExceptionName.invalidArgument, "There is no tab at index \(index), the tab bar has \(templates.count).")
        }
        select(templates[index])
    }

    /// The driver, or the phone for the first time, selected a tab.
    func selected(_ id: UInt64) {
        guard let template = templates.first(where: { $0.token.id == id }) else { return }
        selectedTemplate = template
        delegate?.tabBarTemplate(self, didSelect: template)
    }

    private func check(_ templates: [CPTemplate]) {
        if templates.count > Self.maximumTabCount {
            Faults.raise(
                ExceptionName.invalidArgument,
                "A tab bar of \(templates.count) templates exceeds the maximum of \(Self.maximumTabCount) tabs for this app's entitlement.")
        }
        if let wrong = templates.first(where: { !TemplateKind.tabs.contains(TemplateKind(of: $0) ?? .tabBar) }) {
            Faults.raise(
                ExceptionName.invalidArgument,
                "Unsupported object \(TemplateKind.describe(wrong)) in a tab bar. Allowed classes: \(TemplateKind.list(TemplateKind.tabs))")
        }
        if Set(templates.map(ObjectIdentifier.init)).count != templates.count {
            Faults.raise(ExceptionName.invalidArgument, "A template is in the tab bar twice.")
        }
    }

    override func describe(_ message: inout AppTemplate, _ encoder: TemplateEncoder) {
        message.tabBar = .with { tabBar in
            tabBar.templates = templates.map { encoder.template($0) }
            tabBar.selected = selectedTemplate?.token.id ?? 0
        }
    }
}

@preconcurrency @MainActor
public protocol CPTabBarTemplateDelegate: NSObjectProtocol {
    /// Also called for the initial selection and when the selected tab is tapped again.
    func tabBarTemplate(_ tabBarTemplate: CPTabBarTemplate, didSelect selectedTemplate: CPTemplate)
}
