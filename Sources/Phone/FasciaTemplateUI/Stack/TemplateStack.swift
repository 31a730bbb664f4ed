import FasciaAppLink

/// Why a stack operation was refused, in the words the app's error carries.
struct StackError: Error, Equatable {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}

/// What a stack operation did to the picture.
enum StackChange: Equatable { case replaced, pushed, popped, presented, dismissed, nothing }

/// The templates of one app's scene: this is the truth, the app's own `templates` follows it.
///
/// ```
///  no root --setRoot--> single:  [root, pushed ...]
///                       tabs:    tab bar -> selected tab -> [tab root, pushed ...]   (each tab keeps its own)
///  and over either one presented alert or sheet
/// ```
struct TemplateStack: Equatable {
    private(set) var tabBar: UInt64?
    private(set) var tabs: [UInt64] = []
    private(set) var selectedTab: UInt64?
    private(set) var presented: UInt64?
    private var stacks: [UInt64: [UInt64]] = [:]

    /// More is a runaway app; the categories' own limits (2 to 5) are the app side's to keep.
    static let maxDepth = 16

    /// From the root (of the selected tab) to the top.
    var path: [UInt64] { stacks[selectedTab ?? 0] ?? [] }
    var top: UInt64? { path.last }
    var hasRoot: Bool { !path.isEmpty }
    /// The tab bar is on the screen: it is while its tab shows its root.
    var showsTabBar: Bool { tabBar != nil && path.count == 1 }
    /// Everything on the screen, from the bottom.
    var visible: [UInt64] { (showsTabBar ? [tabBar] : []).compactMap(\.self) + (top.map { [$0] } ?? []) + (presented.map { [$0] } ?? []) }

    /// On a stack, shown or not.
    func contains(_ id: UInt64) -> Bool { stacks.values.contains { $0.contains(id) } || id == tabBar || id == presented }

    // MARK: The app's operations

    mutating func apply(_ operation: AppStackOperation, kind: (UInt64) -> AppTemplate.OneOf_Kind?) throws(StackError) -> StackChange {
        let id = operation.template
        switch operation.kind {
        case .setRoot: return try setRoot(id, kind(id))
        case .push: return try push(id, kind(id), over: top.flatMap(kind))
        case .pop:
            // The driver may have gone back already: what the app wanted to leave is not what would go.
            if id != 0, id != top { throw StackError("the template to pop is not on top any more") }
            return try pop(to: path.count - 2)
        case .popToRoot: return try path.count > 1 ? pop(to: 0) : .nothing
        case .popTo:
            guard let index = path.firstIndex(of: id) else { throw StackError("template to pop to is not on the stack") }
            return try index == path.count - 1 ? .nothing : pop(to: index)
        case .present: return try present(id, kind(id))
        case .dismiss:
            guard let presented else { throw StackError("no template is presented") }
            if id != 0, id != presented { throw StackError("the template to dismiss is not the presented one") }
            self.presented = nil
            return .dismissed
        case .unspecified, .UNRECOGNIZED: throw StackError("unknown stack operation")
        }
    }

    private mutating func setRoot(_ id: UInt64, _ kind: AppTemplate.OneOf_Kind?) throws(StackError) -> StackChange {
        guard let kind else { throw StackError("root template is not known") }
        guard !kind.isModal else { throw StackError("an alert or action sheet cannot be the root template; present it") }
        presented = nil
        stacks = [:]
        if case .tabBar(let bar) = kind {
            tabBar = id
            tabs = bar.templates
            for tab in tabs { stacks[tab] = [tab] }
            selectedTab = tabs.contains(bar.selected) ? bar.selected : tabs.first
        } else {
            tabBar = nil
            tabs = []
            selectedTab = nil
            stacks[0] = [id]
        }
        return .replaced
    }

    private mutating func push(_ id: UInt64, _ kind: AppTemplate.OneOf_Kind?, over top: AppTemplate.OneOf_Kind?) throws(StackError) -> StackChange {
        guard let kind else { throw StackError("pushed template is not known") }
        guard hasRoot else { throw StackError("set a root template before pushing") }
        if kind.isModal { throw StackError("an alert or action sheet cannot be pushed; present it") }
        if case .tabBar = kind { throw StackError("a tab bar template can only be the root template") }
        guard !contains(id) else { throw StackError("pushing the same template instance more than once is not supported") }
        if case .nowPlaying? = top {
            guard case .list = kind else { throw StackError("only a list template may be pushed on top of Now Playing") }
        }
        guard path.count < Self.maxDepth else { throw StackError("application exceeded the hierarchy depth limit") }
        stacks[selectedTab ?? 0, default: []].append(id)
        return .pushed
    }

    private mutating func pop(to index: Int) throws(StackError) -> StackChange {
        guard index >= 0, index < path.count else { throw StackError("the root template cannot be popped") }
        stacks[selectedTab ?? 0]?.removeSubrange((index + 1)...)
        return .popped
    }

    private mutating func present(_ id: UInt64, _ kind: AppTemplate.OneOf_Kind?) throws(StackError) -> StackChange {
        guard let kind else { throw StackError("presented template is not known") }
        guard kind.isModal else { throw StackError("only an action sheet, alert or voice control template may be presented") }
        guard presented == nil else { throw StackError("a template is already presented; dismiss it first") }
        presented = id
        return .presented
    }

    // MARK: The driver's

    /// - Returns: the templates that went, from the top; empty at the root.
    mutating func userPop(toRoot: Bool = false) -> [UInt64] {
        let path = path
        guard path.count > 1 else { return [] }
        let keep = toRoot ? 1 : path.count - 1
        stacks[selectedTab ?? 0] = Array(path.prefix(keep))
        return path.suffix(from: keep).reversed()
    }

    mutating func userDismiss() { presented = nil }

    /// - Returns: false when there is no such tab.
    mutating func select(tab: UInt64) -> Bool {
        guard tabs.contains(tab) else { return false }
        selectedTab = tab
        return true
    }

    /// The system shows Now Playing by itself: what is above it goes, or it is pushed.
    /// - Returns: the templates that went, from the top.
    mutating func showNowPlaying(_ id: UInt64) -> [UInt64] {
        let path = path
        if let index = path.firstIndex(of: id) {
            stacks[selectedTab ?? 0] = Array(path.prefix(index + 1))
            return path.suffix(from: index + 1).reversed()
        }
        for key in stacks.keys where key != selectedTab ?? 0 { stacks[key]?.removeAll { $0 == id } }
        stacks[selectedTab ?? 0, default: []].append(id)
        return []
    }

    /// A shown tab bar changed its tabs: those that stay keep their stacks.
    mutating func tabsChanged(to tabs: [UInt64]) {
        guard tabBar != nil else { return }
        self.tabs = tabs
        stacks = stacks.filter { tabs.contains($0.key) }
        for tab in tabs where stacks[tab] == nil { stacks[tab] = [tab] }
        if selectedTab.map({ !tabs.contains($0) }) ?? true { selectedTab = tabs.first }
    }
}

extension AppTemplate.OneOf_Kind {
    /// Presented, never pushed.
    var isModal: Bool {
        switch self {
        case .alert, .actionSheet: true
        default: false
        }
    }
}
