import FasciaCompositor
import FasciaEvents
import FasciaPaint
import FasciaScene
import FasciaWire

/// The car's screen: composes the phone's layers and the car's own, presents them, and asks for time only while something moves.
@MainActor
final class Display {
    /// What has the screen.
    enum Content {
        /// The car's own home.
        case home
        /// The phone's layers.
        case phone(PhoneSession)
        /// The phone's last picture, dimmed, under a notice.
        case frozen(PhoneSession)
        /// The reversing camera.
        case camera
    }

    let profile: ScreenProfile
    let compositor: Compositor
    private let surface: any ScreenSurface
    private let painter: Painter
    private let screens: NativeScreens
    private let home: LayerScene
    private let overlay: LayerScene
    private var homeFrame = SceneFrame()
    private var overlayFrame = SceneFrame()
    private let camera: NativeLayer<Camera>
    /// Made when it is first wanted, and again for the other light.
    private var cameraPicture: CameraPicture?
    private let banner: NativeLayer<Banner?>
    /// Volume and microphone, above everything.
    private let chrome: NativeLayer<Chrome>
    private(set) var content = Content.home
    private var shownModel: NativeModel?
    private lazy var timer = DeadlineTimer { [weak self] in self?.compose() }

    /// After each composition: when it was on the screen, how long it took (ms), whether pixels changed.
    var onPresented: ((_ now: UInt64, _ milliseconds: Double, _ changed: Bool) -> Void)?

    init(profile: ScreenProfile, surface: any ScreenSurface) throws(PaintError) {
        self.profile = profile
        self.surface = surface
        painter = try Painter(cacheBytes: 2 << 20)
        screens = NativeScreens(painter: painter, profile: profile)
        let limits = Display.limits(profile)
        home = LayerScene(limits: limits)
        overlay = LayerScene(limits: limits)
        camera = NativeLayer(limits: limits)
        banner = NativeLayer(limits: limits, idBits: 0xE000_0000)
        chrome = NativeLayer(limits: limits, idBits: 0xF000_0000)
        compositor = Compositor(width: profile.width, height: profile.height, scenes: [home])
    }

    static func limits(_ profile: ScreenProfile) -> DisplayLimits { DisplayLimits(screenWidth: profile.width, screenHeight: profile.height) }

    /// What the screen means now: what `wait`, `tap` and `tree` see.
    var semantics: [SemanticNode] {
        let below =
            switch content {
            case .home: homeFrame.semantics
            case .phone(let session): session.semantics.nodes
            case .frozen: overlayFrame.semantics
            case .camera: camera.semantics
            }
        let above = banner.semantics + chrome.semantics
        return above.isEmpty ? below : below + above
    }

    /// What the camera's screen was painted from.
    private struct Camera: Equatable {
        var night: Bool
        var call: NativeScreens.CallSize?
    }

    /// What the banner was painted from.
    private enum Banner: Equatable {
        case call(NativeModel.Call, night: Bool)
        case radio(NativeModel.Radio, night: Bool)

        /// A call is more important; the radio is told of on its own home screen already.
        init?(_ model: NativeModel, over content: Content) {
            if let call = model.call {
                self = .call(call, night: model.night)
            } else if let radio = model.radio, radio.isNews, case .phone = content {
                self = .radio(radio, night: model.night)
            } else {
                return nil
            }
        }
    }

    /// What the sound overlay was painted from.
    private struct Chrome: Equatable {
        var sound: SoundOverlay
        var underBanner: Bool
        var night: Bool
        var driverOnRight: Bool
    }

    /// What of the car's lies at these pixels, over the phone's picture; nil when nothing does.
    func target(_ x: Double, _ y: Double) -> CarTarget? {
        let hit = banner.semantics.filter { x >= Double($0.x) && y >= Double($0.y) && x < Double($0.x + $0.width) && y < Double($0.y + $0.height) }
        guard !hit.isEmpty else { return nil }
        return hit.lazy.compactMap { CarTarget(rawValue: $0.identifier) }.first ?? .ground
    }

    var contentName: String {
        switch content {
        case .home: "home"
        case .phone: "phone"
        case .frozen: "connection-lost"
        case .camera: "reverse-camera"
        }
    }

    /// Gives the screen to `content` with the car's own screens as `model` says, and composes.
    func show(_ content: Content, _ model: NativeModel) {
        self.content = content
        var homeModel = model
        homeModel.call = nil
        homeModel.radio?.isNews = false
        homeModel.sound = SoundOverlay()
        if shownModel != homeModel {
            homeFrame = screens.home(model)
            do { try home.show(homeFrame) } catch { assertionFailure("\(error)") }
            shownModel = homeModel
        }
        var scenes: [LayerScene]
        switch content {
        case .home: scenes = [home]
        case .phone(let session):
            session.scene.frozenAt = nil
            scenes = [session.scene]
        case .frozen(let session):
            if session.scene.frozenAt == nil { session.scene.frozenAt = MonotonicClock.now() }
            overlayFrame = screens.connectionLost(phone: session.peer.name, night: model.night)
            do { try overlay.show(overlayFrame) } catch { assertionFailure("\(error)") }
            scenes = [session.scene, overlay]
        case .camera:
            let call = model.call.map { NativeScreens.CallSize($0) }
            camera.show(Camera(night: model.night, call: call)) {
                let picture = cameraPicture?.night == model.night ? cameraPicture : nil
                let shown = picture ?? CameraPicture(profile, night: model.night)
                cameraPicture = shown
                return screens.camera(shown, under: call)
            }
            scenes = [camera.scene]
        }
        let news = Banner(model, over: content)
        banner.show(news) {
            switch news {
            case .call(let call, let night): screens.call(call, night: night)
            case .radio(let radio, let night): screens.nowPlaying(radio, night: night)
            case nil: .transparent
            }
        }
        if news != nil { scenes.append(banner.scene) }
        let sound = Chrome(sound: model.sound, underBanner: news != nil, night: model.night, driverOnRight: model.driverOnRight)
        chrome.show(sound) {
            model.sound.isEmpty ? .transparent : screens.sound(model.sound, underBanner: news != nil, driverOnRight: model.driverOnRight, night: model.night)
        }
        if !model.sound.isEmpty { scenes.append(chrome.scene) }
        compositor.scenes = scenes
        compose()
    }

    /// Composes and presents what changed, now.
    func compose() {
        let start = MonotonicClock.now()
        let damage = compositor.compose(at: start)
        let composed = MonotonicClock.now()
        if !damage.isEmpty {
            surface.present(compositor.pixels, width: compositor.width, height: compositor.height, damage: damage)
        }
        let now = MonotonicClock.now()
        timer.set(compositor.nextFrameDeadline(now: now))
        onPresented?(now, Double(composed - start) / 1e6, !damage.isEmpty)
    }

    /// The window lost its pixels.
    func exposed() {
        surface.present(compositor.pixels, width: compositor.width, height: compositor.height, damage: [compositor.bounds])
    }

    /// A PNG file of exactly what is on the screen.
    func png() -> [UInt8] { Painter.png(bgra: compositor.snapshot(), width: compositor.width, height: compositor.height) }

    func stop() { timer.set(nil) }
}
