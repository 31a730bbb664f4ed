/// An entry of a tab bar; CarPlay uses its system items only.
@preconcurrency @MainActor
open class UITabBarItem: NSObject {
    public enum SystemItem: Int, Sendable {
        case more, favorites, featured, topRated, recents, contacts, history, bookmarks, search, downloads, mostRecent, mostViewed
    }

    public var title: String?
    public var image: UIImage?
    public var tag = 0

    public init(title: String?, image: UIImage?, tag: Int) {
        self.title = title
        self.image = image
        self.tag = tag
        super.init()
    }

    public init(tabBarSystemItem systemItem: SystemItem, tag: Int) {
        self.tag = tag
        super.init()
    }
}
