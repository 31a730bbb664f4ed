import FasciaPaint
import FasciaScene

extension SystemContext {
    struct DockState {
        var clock: String
        /// Most recent first.
        var recent: [HomeApplication]
        var current: String?
        var isHome: Bool
    }

    /// The strip at the driver's side (below on tall screens): time, recent apps, home.
    func dock(_ dock: DockState) {
        let strip = canvas.layer("dock", metrics.dock, in: canvas.screen, z: 3, content: .solid(palette.dock))
        let size = metrics.dock
        let alongside = metrics.dockEdge == .bottom
        let icon = size.height >= 300 && !alongside || alongside ? 44.0 : 38
        let thickness = alongside ? size.height : size.width
        let length = alongside ? size.width : size.height
        clock(dock.clock, in: strip, alongside: alongside)
        let start = alongside ? 92.0 : 54.0, home = 56.0
        let shown = dock.recent.prefix(max(0, min(3, Int((length - start - home) / (icon + 8)))))
        let spacing = icon + (alongside ? 18 : min(14, max(6, (length - start - home) / 3 - icon)))
        for (index, application) in shown.enumerated() {
            let along = start + Double(index) * spacing + icon / 2 + 2
            let rect = alongside ? Rect.centered(along, thickness / 2, icon) : .centered(thickness / 2, along, icon)
            let place = canvas.layer("recent.\(application.id)", rect, in: strip)
            applicationIcon(application, Rect(0, 0, icon, icon), in: place)
            if application.id == dock.current {
                let bar = alongside ? Rect(icon / 2 - 8, icon + 4, 16, 3) : metrics.dockEdge == .right ? Rect(icon + 4.5, icon / 2 - 8, 3, 16) : Rect(-7.5, icon / 2 - 8, 3, 16)
                canvas.fill("current", bar, palette.text, in: place, radius: 1.5)
            }
            canvas.element("dock#\(application.id)", Rect(-4, -4, icon + 8, icon + 8), in: place) {
                $0.group = .dock
                $0.action = .openApplication(application.id)
                $0.role = .application
                $0.label = application.name
                $0.selected = application.id == dock.current
                $0.identifier = "dock.\(index)"
                $0.cornerRadius = 13
            }
        }
        homeButton(at: alongside ? (length - home / 2 - 4, thickness / 2) : (thickness / 2, length - home / 2 - 1), isHome: dock.isHome, in: strip)
    }

    private func clock(_ time: String, in strip: Canvas.Place, alongside: Bool) {
        let box = alongside ? Rect(16, 0, 64, metrics.dock.height) : Rect(0, 8, metrics.dock.width, 20)
        canvas.text("clock", time, .clock, palette.text, x: box.x, baseline: Font.clock.baseline(centeredAt: alongside ? box.midY - 8 : box.midY), width: box.width,
                    align: alongside ? .left : .center, in: strip)
        canvas.icon("link", Icon(glyph: "wifi"), 15, palette.secondary, centerX: alongside ? box.x + 8 : metrics.dock.width / 2, centerY: alongside ? box.midY + 12 : 36, in: strip)
        canvas.element("dock#clock", box, in: strip) {
            $0.group = .dock
            $0.role = .text
            $0.focusable = false
            $0.label = time
            $0.value = "Connected"
            $0.identifier = "clock"
        }
    }

    private func homeButton(at center: (x: Double, y: Double), isHome: Bool, in strip: Canvas.Place) {
        let rect = Rect.centered(center.x, center.y, 44)
        canvas.icon("home", Icon(glyph: "apps"), 30, isHome ? palette.accent : palette.text, centerX: center.x, centerY: center.y, in: strip)
        canvas.element("dock#home", rect, in: strip) {
            $0.group = .dock
            $0.action = .home
            $0.label = "Home"
            $0.selected = isHome
            $0.identifier = "home"
            $0.cornerRadius = 13
        }
    }
}
