import FasciaAppLink
import FasciaPaint
import FasciaScene
import FasciaWire

/// The phone's brain for one car screen: home screen, apps' templates, focus and touch. Messages and input go in with their time,
/// actions and frames come out. One thread, no clock, no I/O.
///
/// ```
///  AppFromApp ----> receive --+                +--> takeActions -> [UIAction]
///  TouchEvent ... > touch  ---+--> state ------+
///  nextDeadline --> advance --+                +--> render -> SceneFrame
/// ```
public final class TemplateUI {
    enum Screen: Equatable { case home, app(String) }

    /// A page with a scroll position and a focus of its own.
    enum PageKey: Hashable {
        case home
        case launching(String)
        case template(String, UInt64)
        case modal(String, UInt64)
        case notice

        var name: String {
            switch self {
            case .home: "home"
            case .launching(let app): "launching:\(app)"
            case .template(let app, let id): "\(app):\(id)"
            case .modal(let app, let id): "modal:\(app):\(id)"
            case .notice: "notice"
            }
        }
    }

    struct Notice: Equatable {
        var application: HomeApplication
        var reason: String?
    }

    /// What the last build made, for input and for the frame.
    struct Model {
        var frame = SceneFrame()
        var elements: [Element] = []
    }

    let painter: Painter
    let pictures: Pictures
    let identifiers = LayerIdentifiers()
    var traits: ScreenTraits
    var metrics: Metrics
    var applications: [HomeApplication] = []
    var sessions: [String: AppSession] = [:]
    var screen = Screen.home
    var notice: Notice?
    var recent: [String] = []
    /// The app that played last.
    var nowPlayingApp: String?
    var transition: Transition?
    var transitions: UInt32 = 0
    var pageStates: [PageKey: PageState] = [:]
    var actions: [UIAction] = []
    var model = Model()
    /// The model no longer says what is on the screen.
    var isStale = true
    /// The last frame handed out is not the newest.
    public private(set) var needsRender = true

    // Input
    var showsRing: Bool
    var isDockFocused = false
    var dockFocus: String?
    var touch: TouchTracker?
    var pressed: String?
    var stroke = (dx: Double(0), dy: Double(0))
    var heldKey: HeldKey?

    public init(painter: Painter, traits: ScreenTraits) {
        self.painter = painter
        self.traits = traits
        pictures = Pictures(painter: painter)
        metrics = Metrics(traits)
        showsRing = !traits.inputs.contains(.touch)
        pictures.log = { [weak self] in self?.actions.append(.log($0)) }
        painter.onUnknownSymbol = { [weak self] in self?.actions.append(.log("symbol \"\($0)\" has no icon here; a ring stands for it")) }
    }

    // MARK: The phone's side

    public func setApplications(_ applications: [HomeApplication]) {
        guard applications != self.applications else { return }
        self.applications = applications
        for application in applications { sessions[application.id]?.name = application.name }
        pictures.forgetHomeIcons()
        changed()
    }

    public func applicationState(_ id: String, _ state: ApplicationState, now: UInt64 = 0) {
        let session = session(id)
        switch state {
        case .launching:
            guard session.state != .launching else { return }
            session.reset(to: .launching)
        case .connected: session.state = .connected
        case .disconnected: ended(session, .idle, notice: nil, now: now)
        case .stopped(let reason): stopped(session, reason, now: now)
        }
        changed()
    }

    public func setTraits(_ traits: ScreenTraits) {
        guard traits != self.traits else { return }
        let told = self.traits.appTraits
        self.traits = traits
        metrics = Metrics(traits)
        if !traits.inputs.contains(.touch) { showsRing = true }
        if traits.appTraits != told {
            for session in sessions.values where session.state == .connected { send(.with { $0.traits = traits.appTraits }, to: session) }
        }
        changed()
    }

    /// Things to do, in order; each is handed out once.
    public func takeActions() -> [UIAction] {
        defer { actions = [] }
        return actions
    }

    /// When `advance` is to be called next, on the clock of `now`.
    public var nextDeadline: UInt64? {
        var deadline = transition?.end
        func consider(_ time: UInt64?) {
            if let time { deadline = min(deadline ?? time, time) }
        }
        consider(pageStates[topPage]?.scroll.motion?.end)
        consider(nextSecond)
        consider(heldKey?.seeksAt)
        return deadline
    }

    public func advance(now: UInt64) {
        advanceKeys(now: now)
        if let transition, now >= transition.end { finishTransition() }
        for state in pageStates.values where state.scroll.expire(now: now) { changed() }
        if let second = nextSecond, now >= second { changed() }
        lastTick = now
    }

    /// The newest state of the screen.
    public func render(now: UInt64) -> SceneFrame {
        lastTick = max(lastTick, now)
        if isStale { build(now: now) }
        // Pictures still to be decoded come with the next frame.
        needsRender = pictures.isIncomplete
        isStale = pictures.isIncomplete
        return model.frame
    }

    // MARK: Shared by the parts

    var lastTick: UInt64 = 0

    func changed() {
        isStale = true
        needsRender = true
    }

    func ensureModel(now: UInt64) {
        lastTick = max(lastTick, now)
        if isStale {
            build(now: now)
            isStale = pictures.isIncomplete
        }
    }

    func session(_ id: String) -> AppSession {
        if let known = sessions[id] { return known }
        let session = AppSession(id: id, name: applications.first { $0.id == id }?.name ?? id)
        sessions[id] = session
        return session
    }

    var frontSession: AppSession? {
        if case .app(let id) = screen { sessions[id] } else { nil }
    }

    func send(_ message: AppToApp, to session: AppSession) { actions.append(.send(message, to: session.id)) }

    func state(of page: PageKey) -> PageState {
        if let known = pageStates[page] { return known }
        let state = PageState()
        pageStates[page] = state
        return state
    }

    /// The elapsed time on Now Playing shows seconds.
    private var nextSecond: UInt64? {
        guard case .template(let app, let id) = topPage, let session = sessions[app], case .nowPlaying? = session.templates[id]?.kind, session.isPlaying,
              let info = session.nowPlaying, info.duration > 0, !info.live else { return nil }
        let elapsed = session.elapsed(at: lastTick)
        guard elapsed < info.duration else { return nil }
        return lastTick + UInt64(max(0.2, (1 - (elapsed - elapsed.rounded(.down))) / max(0.1, info.rate)) * 1e9)
    }
}
