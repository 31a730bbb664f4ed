import FasciaAppLink
import FasciaPaint
import FasciaScene
import FasciaWire
@testable import FasciaTemplateUI

/// A phone screen and the app that drives it, with a clock of their own.
final class FakePhone {
    let ui: TemplateUI
    var now: UInt64 = 1_000_000_000
    private var inputs: UInt32 = 0
    private var operations: UInt64 = 0
    /// Everything taken so far that went to the app.
    var sent: [AppToApp] = []
    var others: [UIAction] = []
    static let app = "org.example.rubbersoul"

    init(_ traits: ScreenTraits = ScreenTraits(clock: "10:09"), painter: Painter? = nil, applications: [HomeApplication]? = nil) throws {
        ui = TemplateUI(painter: try painter ?? Painter(), traits: traits)
        ui.setApplications(applications ?? [HomeApplication(id: Self.app, name: "Rubber Soul"), HomeApplication(id: "org.example.radio", name: "Radio")])
    }

    /// The app on the screen, its scene connected.
    func launch() {
        ui.open(Self.app, now: now)
        ui.applicationState(Self.app, .launching)
        ui.applicationState(Self.app, .connected)
        settle()
    }

    func drain() {
        for action in ui.takeActions() {
            if case .send(let message, Self.app) = action { sent.append(message) } else { others.append(action) }
        }
    }

    /// What was sent since the last call.
    func messages() -> [AppToApp.OneOf_Message] {
        drain()
        defer { sent = [] }
        return sent.compactMap(\.message)
    }

    /// Lets every transition and motion end.
    func settle() {
        for _ in 0..<20 {
            guard let deadline = ui.nextDeadline, deadline < now + 2_000_000_000 else { break }
            now = max(now, deadline)
            ui.advance(now: now)
            if ui.transition == nil, ui.state(of: ui.topPage).scroll.motion == nil { break }
        }
        drain()
    }

    @discardableResult
    func frame() -> SceneFrame {
        var frame = ui.render(now: now)
        for _ in 0..<50 where ui.needsRender { frame = ui.render(now: now) }
        return frame
    }

    // MARK: The app

    func app(_ build: (inout AppFromApp) -> Void) { ui.receive(.with(build), from: Self.app, now: now) }
    func upsert(_ template: AppTemplate) { app { $0.upsertTemplate = template } }

    @discardableResult
    func operate(_ kind: AppStackOperation.Kind, _ template: UInt64 = 0, animated: Bool = false) -> UInt64 {
        operations += 1
        app {
            $0.stackOperation.operation = operations
            $0.stackOperation.kind = kind
            $0.stackOperation.template = template
            $0.stackOperation.animated = animated
        }
        return operations
    }

    func symbol(_ id: UInt64, _ name: String, template: Bool = true) {
        app {
            $0.image.id = id
            $0.image.systemName = name
            $0.image.template = template
        }
    }

    func picture(_ id: UInt64) {
        app {
            $0.image.id = id
            $0.image.encoded = .init(FakeCover.covers[Int(id) % 12])
            $0.image.scale = 2
        }
    }

    // MARK: The driver

    func node(_ label: String) -> SemanticNode? { frame().semantics.first { $0.label == label } ?? frame().semantics.first { $0.identifier == label } }

    func touch(_ phase: TouchEvent.Phase, _ x: Float, _ y: Float) {
        inputs += 1
        ui.touch(.with {
            $0.phase = phase
            $0.x = x
            $0.y = y
            $0.timeNs = now
            $0.sequence = inputs
        }, now: now)
    }

    func tap(_ x: Float, _ y: Float) {
        touch(.began, x, y)
        now += 40_000_000
        touch(.ended, x, y)
    }

    @discardableResult
    func tap(_ label: String) -> Bool {
        guard let node = node(label) else { return false }
        tap(node.x + node.width / 2, node.y + node.height / 2)
        return true
    }

    func drag(from: (Float, Float), to: (Float, Float), milliseconds: Int, steps: Int = 10) {
        touch(.began, from.0, from.1)
        for step in 1...steps {
            now += UInt64(milliseconds) * 1_000_000 / UInt64(steps)
            let t = Float(step) / Float(steps)
            touch(.moved, from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t)
        }
        touch(.ended, to.0, to.1)
    }

    func knob(_ action: KnobEvent.Action, _ detents: Int = 0) {
        ui.knob(.with {
            $0.action = action
            $0.detents = Int32(detents)
        }, now: now)
    }

    func key(_ key: KeyEvent.Key, pressed: Bool = true) {
        ui.key(.with {
            $0.key = key
            $0.pressed = pressed
        }, now: now)
    }

    var focused: SemanticNode? { frame().semantics.first { $0.focused } }
}

/// Covers that look like covers: two colours and a disc.
enum FakeCover {
    static let covers = (0..<12).map { png(hue: Double($0) * 0.083, side: 120) }
    static let icon = png(hue: 0.05, side: 180)

    static func png(hue: Double, side: Int) -> [UInt8] {
        var pixels = [UInt8](repeating: 255, count: side * side * 4)
        func channel(_ shift: Double, _ light: Double) -> UInt8 {
            let t = (hue + shift).truncatingRemainder(dividingBy: 1)
            let wave = abs(t * 6 - 3) - 1
            return UInt8(max(0, min(1, max(0, min(1, wave)) * 0.6 + light)) * 235)
        }
        for y in 0..<side {
            for x in 0..<side {
                let dx = Double(x) / Double(side) - 0.62, dy = Double(y) / Double(side) - 0.58
                let inside = dx * dx + dy * dy < 0.09
                let light = inside ? 0.42 : 0.12 + 0.25 * Double(y) / Double(side)
                let at = (y * side + x) * 4
                pixels[at] = channel(inside ? 0.1 : 0.333, light)
                pixels[at + 1] = channel(inside ? 0.4 : 0.667, light)
                pixels[at + 2] = channel(inside ? 0.7 : 0, light)
            }
        }
        return Painter.png(bgra: pixels, width: side, height: side)
    }
}
