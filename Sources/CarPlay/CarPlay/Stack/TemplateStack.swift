/// The app's picture of its templates on the screen. The phone has the truth; this follows it and runs ahead only by the
/// operations not answered yet.
///
///     root (a tab bar: one stack a tab)   pushed, bottom to top   presented
@MainActor
struct TemplateStack {
    private(set) var root: CPTemplate?
    /// Pushed templates by the tab they are above; 0 without a tab bar.
    private var pushed: [UInt64: [CPTemplate]] = [:]
    var presented: CPTemplate?

    private var tabBar: CPTabBarTemplate? { root as? CPTabBarTemplate }
    private var key: UInt64 { tabBar?.selectedTemplate?.token.id ?? 0 }

    /// Pushed on the selected tab, or on the root.
    var current: [CPTemplate] {
        get { pushed[key] ?? [] }
        set { pushed[key] = newValue }
    }

    /// Root first. Of a tab bar's stacks the selected one's.
    var templates: [CPTemplate] { (root.map { [$0] } ?? []) + current }
    var top: CPTemplate? { current.last ?? root }

    /// Every template there is, all tabs.
    var all: [CPTemplate] { (root.map { [$0] } ?? []) + (tabBar?.templates ?? []) + pushed.values.flatMap { $0 } + (presented.map { [$0] } ?? []) }

    func contains(_ template: CPTemplate) -> Bool { all.contains { $0 === template } }

    mutating func setRoot(_ template: CPTemplate?) {
        root = template
        pushed = [:]
    }

    /// Removes a pushed template wherever it is.
    mutating func remove(_ id: UInt64) -> CPTemplate? {
        for (key, stack) in pushed {
            guard let index = stack.firstIndex(where: { $0.token.id == id }) else { continue }
            pushed[key]?.remove(at: index)
            return stack[index]
        }
        return nil
    }

    /// Moves pushed templates to the selected tab: the phone had switched tabs before it got the push.
    mutating func moveToSelectedTab(_ ids: Set<UInt64>) {
        var moving: [CPTemplate] = []
        for (key, stack) in pushed where key != self.key {
            moving += stack.filter { ids.contains($0.token.id) }
            pushed[key] = stack.filter { !ids.contains($0.token.id) }
        }
        if !moving.isEmpty { current += moving.sorted { $0.token.id < $1.token.id } }
    }
}
