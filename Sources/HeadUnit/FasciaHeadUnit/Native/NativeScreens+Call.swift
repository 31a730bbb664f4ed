import FasciaPaint
import FasciaScene

extension NativeScreens {
    /// How much of the upper edge a call takes.
    enum CallSize: Equatable {
        case small, large
        init(_ call: NativeModel.Call) { self = call.isRinging ? .large : .small }
    }

    /// The car's own call, over whatever is on the screen: large while it rings, out of the way afterwards. Its buttons are ``CarTarget``s
    /// by their identifiers.
    func call(_ call: NativeModel.Call, night: Bool) -> SceneFrame {
        let theme = night ? NativeTheme.night : .day
        var canvas = NativeCanvas(painter: painter, scale: profile.scale, background: Color(rgba: 0))
        if call.isRinging { ringing(call, theme, &canvas) } else { talking(call, theme, &canvas) }
        return canvas.frame
    }

    private func ringing(_ call: NativeModel.Call, _ theme: NativeTheme, _ canvas: inout NativeCanvas) {
        let padding = canvas.points(Self.ringPadding), button = canvas.points(Self.ringButton), gap = canvas.points(12), disc = button
        let (x, y, width, height) = pill(width: canvas.points(340), height: button + 2 * padding, margin: Self.callMargin, radius: 20, theme, &canvas)
        canvas.box(x + padding, y + padding, disc, disc, .solid(theme.accent.alpha(0.18)), radius: disc / 2)
        let inset = ((disc - canvas.points(22)) / 2).rounded()
        canvas.icon("directions_car", size: 22, theme.accent, x: x + padding + inset, y: y + padding + inset)
        let right = x + width - padding - button, textX = x + padding + disc + gap
        words(call, sizes: (16, 14), theme, x: textX, width: right - button - 2 * gap - textX, y, height, &canvas)
        round("call_end", "Decline", .endCall, NativeTheme.hangUp, icon: 22, x: right - button - gap, y: y + padding, button, &canvas)
        round("call", "Answer", .answerCall, NativeTheme.accept, icon: 22, x: right, y: y + padding, button, &canvas)
    }

    /// Narrow enough for what lies in the corners of phones' screens.
    private func talking(_ call: NativeModel.Call, _ theme: NativeTheme, _ canvas: inout NativeCanvas) {
        let padding = canvas.points(4), button = canvas.points(32), gap = canvas.points(8), icon = canvas.points(18)
        let (x, y, width, height) = pill(width: canvas.points(188), height: button + 2 * padding, margin: 4, radius: 20, theme, &canvas)
        canvas.icon("call", size: 18, theme.good, x: x + canvas.points(14), y: y + ((height - icon) / 2).rounded())
        let textX = x + canvas.points(14) + icon + gap, right = x + width - padding - button
        words(call, sizes: (14, 12), theme, x: textX, width: right - gap - textX, y, height, &canvas)
        round("call_end", "End call", .endCall, NativeTheme.hangUp, icon: 19, x: right, y: y + padding, button, &canvas)
    }

    /// In the middle of the upper edge. Over a picture of the same colours only its shadow tells the edge.
    private func pill(width wanted: Double, height: Double, margin: Double, radius: Double, _ theme: NativeTheme, _ canvas: inout NativeCanvas) -> (x: Double, y: Double, width: Double, height: Double) {
        let insets = profile.insets, free = Double(profile.width - insets.left - insets.right)
        let width = min(wanted, free - canvas.points(20))
        let x = Double(insets.left) + ((free - width) / 2).rounded(), y = Double(insets.top) + canvas.points(margin)
        shadow(x, y, width, height, radius: radius, theme, &canvas)
        canvas.box(x, y, width, height, .solid(theme.card), radius: canvas.points(radius), border: theme.cardBorder)
        canvas.region("Call", identifier: "call", x, y, width, height)
        return (x, y, width, height)
    }

    /// Under a card that lies over a picture.
    func shadow(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double, _ theme: NativeTheme, _ canvas: inout NativeCanvas) {
        for step in 1...8 {
            let ring = canvas.points(Double(step))
            canvas.box(x - ring, y - ring + canvas.points(2.5), width + 2 * ring, height + 2 * ring, .solid(Color(0, 0, 0, theme == .night ? 0x14 : 0x06)), radius: canvas.points(radius) + ring)
        }
    }

    /// Who it is, and how far it has come.
    private func words(_ call: NativeModel.Call, sizes: (name: Double, detail: Double), _ theme: NativeTheme, x: Double, width: Double, _ y: Double, _ height: Double, _ canvas: inout NativeCanvas) {
        let nameHeight = canvas.height(call.caller, size: sizes.name, .semibold, width: width, lines: 1)
        let detailHeight = canvas.height(call.detail, size: sizes.detail, .regular, width: width, lines: 1)
        let top = (y + (height - nameHeight - detailHeight) / 2).rounded()
        canvas.text(call.caller, size: sizes.name, .semibold, theme.primary, x: x, y: top, width: width, identifier: "call.name", role: .header)
        canvas.text(call.detail, size: sizes.detail, .regular, theme.secondary, x: x, y: top + nameHeight, width: width, identifier: "call.detail")
    }

    private func round(_ glyph: String, _ label: String, _ target: CarTarget, _ color: Color, icon size: Double, x: Double, y: Double, _ side: Double, _ canvas: inout NativeCanvas) {
        let inset = ((side - canvas.points(size)) / 2).rounded()
        canvas.box(x, y, side, side, .solid(color), radius: side / 2)
        canvas.icon(glyph, size: size, Color(0xFF, 0xFF, 0xFF), x: x + inset, y: y + inset)
        canvas.region(label, identifier: target.rawValue, role: .button, x, y, side, side)
    }

    /// Points.
    private static let ringPadding = 10.0, ringButton = 40.0, callMargin = 8.0
    /// How far from the upper edge a call reaches that rings, points.
    static let ringHeight = callMargin + ringButton + 2 * ringPadding
}
