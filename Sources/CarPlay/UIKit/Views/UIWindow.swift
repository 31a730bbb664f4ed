/// A window of an app's own views, which this version does not draw.
@preconcurrency @MainActor
open class UIWindow: UIView {
    open var rootViewController: UIViewController? {
        didSet { rootViewController?.loadViewIfNeeded() }
    }

    open weak var windowScene: UIWindowScene?
    public private(set) var isKeyWindow = false

    public override init(frame: CGRect = .zero) { super.init(frame: frame) }

    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: UIScreen.main.bounds)
        self.windowScene = windowScene
    }

    open func makeKeyAndVisible() {
        isKeyWindow = true
        isHidden = false
    }
}

/// A view controller: its view is made when first asked for.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    open var title: String?
    private var loadedView: UIView?

    public init(nibName nibNameOrNil: String? = nil, bundle nibBundleOrNil: Bundle? = nil) { super.init() }

    public required init?(coder: NSCoder) { return nil }

    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set { loadedView = newValue }
    }

    public var isViewLoaded: Bool { loadedView != nil }
    public var traitCollection: UITraitCollection { .current }

    open func loadView() { loadedView = UIView(frame: UIScreen.main.bounds) }

    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        viewDidLoad()
    }

    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
}
