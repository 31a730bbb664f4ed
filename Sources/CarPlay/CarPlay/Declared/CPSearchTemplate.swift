/// Search by keyboard or knob. Declared, not drawn.
@preconcurrency @MainActor
open class CPSearchTemplate: CPTemplate {
    open weak var delegate: (any CPSearchTemplateDelegate)?

    public init() { super.init(_template: ()) }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }
}

/// An app implements one form of each pair.
@preconcurrency @MainActor
public protocol CPSearchTemplateDelegate: NSObjectProtocol {
    func searchTemplate(
        _ searchTemplate: CPSearchTemplate, updatedSearchText searchText: String, completionHandler: @escaping ([CPListItem]) -> Void)
    func searchTemplate(_ searchTemplate: CPSearchTemplate, updatedSearchText searchText: String) async -> [CPListItem]
    func searchTemplate(_ searchTemplate: CPSearchTemplate, selectedResult item: CPListItem, completionHandler: @escaping () -> Void)
    func searchTemplate(_ searchTemplate: CPSearchTemplate, selectedResult item: CPListItem) async
    func searchTemplateSearchButtonPressed(_ searchTemplate: CPSearchTemplate)
}

extension CPSearchTemplateDelegate {
    public func searchTemplate(
        _ searchTemplate: CPSearchTemplate, updatedSearchText searchText: String, completionHandler: @escaping ([CPListItem]) -> Void
    ) {
        Task { completionHandler(await self.searchTemplate(searchTemplate, updatedSearchText: searchText)) }
    }

    public func searchTemplate(_ searchTemplate: CPSearchTemplate, updatedSearchText searchText: String) async -> [CPListItem] { [] }

    public func searchTemplate(_ searchTemplate: CPSearchTemplate, selectedResult item: CPListItem, completionHandler: @escaping () -> Void) {
        Task {
            await self.searchTemplate(searchTemplate, selectedResult: item)
            completionHandler()
        }
    }

    public func searchTemplate(_ searchTemplate: CPSearchTemplate, selectedResult item: CPListItem) async {}
    public func searchTemplateSearchButtonPressed(_ searchTemplate: CPSearchTemplate) {}
}
