import FasciaCompositor

/// Where composed frames go, and where a person's input comes from. Main thread only.
@MainActor
protocol ScreenSurface: AnyObject {
    /// Shows the changed part of a frame. `pixels`: whole frame, blue, green, red, alpha, rows tightly packed.
    func present(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int, damage: [PixelRect])
    /// What the person did since the last call.
    func poll() -> [SurfaceInput]
    /// Whether there is anybody to ask with `poll`.
    var hasInput: Bool { get }
    func close()
}

/// Input of a window in terms of the car's controls.
enum SurfaceInput: Equatable {
    enum TouchPhase { case began, moved, ended }
    /// Pixels of the screen.
    case touch(TouchPhase, x: Double, y: Double)
    /// Clockwise positive.
    case knobTurn(Int)
    case knobPress(Bool)
    case nudge(Nudge)
    case key(Key, pressed: Bool)
    /// Fractions of the pad.
    case touchpad(TouchPhase, dx: Double, dy: Double)
    case toggleNight
    case exposed
    case closed

    enum Nudge { case up, down, left, right }
    enum Key { case home, back, play, next, previous, voice }
}

/// Nobody watches: frames are kept by the compositor for screenshots.
@MainActor
final class HeadlessSurface: ScreenSurface {
    let hasInput = false
    func present(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int, damage: [PixelRect]) {}
    func poll() -> [SurfaceInput] { [] }
    func close() {}
}
