import CSDL2
import FasciaCompositor
import Glibc

/// An SDL2 window that shows the car's screen and turns mouse and keyboard into its controls.
@MainActor
final class WindowSurface: ScreenSurface {
    /// The environment names a display.
    nonisolated static var isPossible: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"].contains { (name: String) in getenv(name).map { $0.pointee != 0 } ?? false }
    }

    let hasInput = true
    private let window: OpaquePointer
    private let renderer: OpaquePointer
    private let texture: OpaquePointer
    private let width: Int
    private let height: Int
    private var padding = false

    /// - Throws: when SDL finds no display it can use.
    init(title: String, width: Int, height: Int) throws(HeadUnitError) {
        func failure(_ what: String) -> HeadUnitError {
            HeadUnitError(.display, "\(what): \(String(cString: SDL_GetError())). Run with --headless, or check DISPLAY and WAYLAND_DISPLAY.")
        }
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
        SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "1")
        SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0")
        guard SDL_Init(SDL_INIT_VIDEO) == 0 else { throw failure("no window can be opened") }
        // Where no display answers, SDL goes on with a driver that shows nothing. That may be asked for, but is no window.
        let driver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? ""
        guard !["dummy", "offscreen", "evdev"].contains(driver) || getenv("SDL_VIDEODRIVER") != nil else {
            let display = getenv("DISPLAY").map { "DISPLAY=\(String(cString: $0))" } ?? getenv("WAYLAND_DISPLAY").map { "WAYLAND_DISPLAY=\(String(cString: $0))" } ?? "the display"
            SDL_Quit()
            throw HeadUnitError(.display, "no window can be opened: \(display) does not answer. Run with --headless, or check DISPLAY and WAYLAND_DISPLAY.")
        }
        let anywhere = Int32(bitPattern: 0x2FFF_0000) // SDL_WINDOWPOS_CENTERED, a macro Swift does not see
        guard let window = SDL_CreateWindow(title, anywhere, anywhere, Int32(width), Int32(height), SDL_WINDOW_RESIZABLE.rawValue) else {
            throw failure("no window can be opened")
        }
        // Frames come ready made: a software renderer shows them, without the 100 MB that an OpenGL driver takes.
        guard let renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue),
              let texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888.rawValue, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue), Int32(width), Int32(height))
        else { throw failure("nothing can be drawn into the window") }
        SDL_RenderSetLogicalSize(renderer, Int32(width), Int32(height))
        self.window = window
        self.renderer = renderer
        self.texture = texture
        self.width = width
        self.height = height
    }

    func present(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int, damage: [PixelRect]) {
        guard let base = pixels.baseAddress, width == self.width, height == self.height else { return }
        for area in damage {
            var rect = SDL_Rect(x: Int32(area.left), y: Int32(area.top), w: Int32(area.width), h: Int32(area.height))
            SDL_UpdateTexture(texture, &rect, base + (area.top * width + area.left) * 4, Int32(width * 4))
        }
        SDL_RenderClear(renderer)
        SDL_RenderCopy(renderer, texture, nil, nil)
        SDL_RenderPresent(renderer)
    }

    func close() {
        SDL_DestroyTexture(texture)
        SDL_DestroyRenderer(renderer)
        SDL_DestroyWindow(window)
        SDL_Quit()
    }

    func poll() -> [SurfaceInput] {
        var inputs: [SurfaceInput] = []
        var event = SDL_Event()
        while SDL_PollEvent(&event) != 0 {
            if let input = translate(event) { inputs.append(input) }
        }
        return inputs
    }

    private func translate(_ event: SDL_Event) -> SurfaceInput? {
        switch SDL_EventType(rawValue: event.type) {
        case SDL_QUIT: return .closed
        case SDL_WINDOWEVENT:
            let kind = event.window.event
            return kind == UInt8(SDL_WINDOWEVENT_EXPOSED.rawValue) || kind == UInt8(SDL_WINDOWEVENT_SIZE_CHANGED.rawValue) ? .exposed : nil
        case SDL_MOUSEBUTTONDOWN: return button(event.button, .began)
        case SDL_MOUSEBUTTONUP: return button(event.button, .ended)
        case SDL_MOUSEMOTION:
            let motion = event.motion
            if motion.state & 1 != 0 { return .touch(.moved, x: Double(motion.x), y: Double(motion.y)) }
            if padding { return .touchpad(.moved, dx: Double(motion.xrel) / Double(width), dy: Double(motion.yrel) / Double(height)) }
            return nil
        case SDL_MOUSEWHEEL: return event.wheel.y == 0 ? nil : .knobTurn(Int(-event.wheel.y))
        case SDL_KEYDOWN: return event.key.repeat == 0 || isArrow(event.key) ? key(event.key, pressed: true) : nil
        case SDL_KEYUP: return key(event.key, pressed: false)
        default: return nil
        }
    }

    private func button(_ event: SDL_MouseButtonEvent, _ phase: SurfaceInput.TouchPhase) -> SurfaceInput? {
        switch Int32(event.button) {
        case SDL_BUTTON_LEFT: return .touch(phase, x: Double(event.x), y: Double(event.y))
        case SDL_BUTTON_RIGHT:
            padding = phase == .began
            return .touchpad(phase, dx: 0, dy: 0)
        default: return nil
        }
    }

    private func isArrow(_ event: SDL_KeyboardEvent) -> Bool {
        let symbol = Int(event.keysym.sym)
        return [SDLK_UP, SDLK_DOWN, SDLK_LEFT, SDLK_RIGHT].contains { Int($0.rawValue) == symbol }
    }

    private func key(_ event: SDL_KeyboardEvent, pressed: Bool) -> SurfaceInput? {
        switch SDL_KeyCode(rawValue: UInt32(bitPattern: event.keysym.sym)) {
        case SDLK_UP: pressed ? .nudge(.up) : nil
        case SDLK_DOWN: pressed ? .nudge(.down) : nil
        case SDLK_LEFT: pressed ? .nudge(.left) : nil
        case SDLK_RIGHT: pressed ? .nudge(.right) : nil
        case SDLK_LEFTBRACKET, SDLK_PAGEUP: pressed ? .knobTurn(-1) : nil
        case SDLK_RIGHTBRACKET, SDLK_PAGEDOWN: pressed ? .knobTurn(1) : nil
        case SDLK_RETURN, SDLK_KP_ENTER: .knobPress(pressed)
        case SDLK_ESCAPE, SDLK_BACKSPACE: .key(.back, pressed: pressed)
        case SDLK_h: .key(.home, pressed: pressed)
        case SDLK_SPACE: .key(.play, pressed: pressed)
        case SDLK_n: .key(.next, pressed: pressed)
        case SDLK_p: .key(.previous, pressed: pressed)
        case SDLK_v: .key(.voice, pressed: pressed)
        case SDLK_F2: pressed ? .toggleNight : nil
        default: nil
        }
    }
}
