/// The older way to hear of selections, for rows without a handler. An app implements one of the two forms.
@preconcurrency @MainActor
public protocol CPListTemplateDelegate: NSObjectProtocol {
    func listTemplate(_ listTemplate: CPListTemplate, didSelect item: CPListItem, completionHandler: @escaping () -> Void)
    func listTemplate(_ listTemplate: CPListTemplate, didSelect item: CPListItem) async
}

extension CPListTemplateDelegate {
    public func listTemplate(_ listTemplate: CPListTemplate, didSelect item: CPListItem, completionHandler: @escaping () -> Void) {
        Task {
            await self.listTemplate(listTemplate, didSelect: item)
            completionHandler()
        }
    }

    public func listTemplate(_ listTemplate: CPListTemplate, didSelect item: CPListItem) async {}
}
