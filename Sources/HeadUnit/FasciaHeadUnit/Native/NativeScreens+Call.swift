import FasciaPaint
import FasciaScene

extension NativeScreens {
    /// The car's own call, over whatever is on the screen. Its buttons are ``CarTarget``s by their identifiers.
    func call(_ call: NativeModel.Call, night: Bool) -> SceneFrame {
        let theme = night ? NativeTheme.night : .day
        var canvas = NativeCanvas(painter: painter, scale: profile.scale, background: Color(rgba: 0))
        let insets = profile.insets
        let free = Double(profile.width - insets.left - insets.right)
        let padding = canvas.points(Self.callPadding), button = canvas.points(Self.callButton), gap = canvas.points(12), disc = canvas.points(40)
        let buttons = call.isRinging ? 2.0 : 1.0
        let width = min(canvas.points(340), free - 2 * padding), height = button + 2 * padding
        let x = Double(insets.left) + ((free - width) / 2).rounded(), y = Double(insets.top) + canvas.points(Self.callMargin)
        // Over a phone's picture of the same colours only a shadow tells the edge.
        for step in 1...8 {
            let ring = canvas.points(Double(step))
            canvas.box(x - ring, y - ring + canvas.points(2.5), width + 2 * ring, height + 2 * ring, .solid(Color(0, 0, 0, night ? 0x14 : 0x06)), radius: canvas.points(20) + ring)
        }
        canvas.box(x, y, width, height, .solid(theme.card), radius: canvas.points(20), border: theme.cardBorder)
        canvas.region("Call", identifier: "call", x, y, width, height)
        let top = y + padding
        canvas.box(x + padding, top, disc, disc, .solid(theme.accent.alpha(0.18)), radius: disc / 2)
        canvas.icon("directions_car", size: 22, theme.accent, x: x + padding + ((disc - canvas.points(22)) / 2).rounded(), y: top + ((disc - canvas.points(22)) / 2).rounded())
        let left = x + padding + disc + gap
        let textWidth = width - 2 * padding - disc - gap - buttons * (button + gap)
        let nameHeight = canvas.height(call.caller, size: 16, .semibold, width: textWidth, lines: 1)
        let detailHeight = canvas.height(call.detail, size: 14, .regular, width: textWidth, lines: 1)
        let textTop = (y + (height - nameHeight - detailHeight) / 2).rounded()
        canvas.text(call.caller, size: 16, .semibold, theme.primary, x: left, y: textTop, width: textWidth, identifier: "call.name", role: .header)
        canvas.text(call.detail, size: 14, .regular, theme.secondary, x: left, y: textTop + nameHeight, width: textWidth, identifier: "call.detail")
        let right = x + width - padding - button
        if call.isRinging {
            round("call_end", "Decline", .endCall, NativeTheme.hangUp, x: right - button - gap, y: top, button, &canvas)
            round("call", "Answer", .answerCall, NativeTheme.accept, x: right, y: top, button, &canvas)
        } else {
            round("call_end", "End call", .endCall, NativeTheme.hangUp, x: right, y: top, button, &canvas)
        }
        return canvas.frame
    }

    /// Points.
    private static let callPadding = 10.0, callButton = 40.0, callMargin = 8.0
    /// How far from the upper edge a call reaches, points.
    static let callHeight = callMargin + callButton + 2 * callPadding

    private func round(_ glyph: String, _ label: String, _ target: CarTarget, _ color: Color, x: Double, y: Double, _ side: Double, _ canvas: inout NativeCanvas) {
        let icon = canvas.points(22)
        canvas.box(x, y, side, side, .solid(color), radius: side / 2)
        canvas.icon(glyph, size: 22, Color(0xFF, 0xFF, 0xFF), x: x + ((side - icon) / 2).rounded(), y: y + ((side - icon) / 2).rounded())
        canvas.region(label, identifier: target.rawValue, role: .button, x, y, side, side)
    }
}
