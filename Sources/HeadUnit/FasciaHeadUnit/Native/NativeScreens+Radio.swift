import FasciaPaint
import FasciaScene

extension NativeScreens {
    /// What begins to play, for a moment over the phone's picture, which shows its own music paused.
    func nowPlaying(_ radio: NativeModel.Radio, night: Bool) -> SceneFrame {
        let theme = night ? NativeTheme.night : .day
        var canvas = NativeCanvas(painter: painter, scale: profile.scale, background: Color(rgba: 0))
        let insets = profile.insets, free = Double(profile.width - insets.left - insets.right)
        let icon = canvas.points(18), gap = canvas.points(8), padding = canvas.points(14), height = canvas.points(36)
        let nameWidth = canvas.labelWidth(radio.station, size: 14, .semibold) + 2, detailWidth = canvas.labelWidth(radio.detail, size: 14, .regular) + 2
        let width = min(2 * padding + icon + 2 * gap + nameWidth + detailWidth, free - canvas.points(20))
        let x = Double(insets.left) + ((free - width) / 2).rounded(), y = Double(insets.top) + canvas.points(8)
        shadow(x, y, width, height, radius: 18, theme, &canvas)
        canvas.box(x, y, width, height, .solid(theme.card), radius: height / 2, border: theme.cardBorder)
        canvas.icon("radio", size: 18, theme.accent, x: x + padding, y: y + ((height - icon) / 2).rounded())
        let textHeight = canvas.height(radio.station, size: 14, .semibold, width: nameWidth, lines: 1), top = y + ((height - textHeight) / 2).rounded()
        let left = x + padding + icon + gap
        canvas.text(radio.station, size: 14, .semibold, theme.primary, x: left, y: top, width: nameWidth, identifier: "radio.station")
        canvas.text(radio.detail, size: 14, .regular, theme.secondary, x: left + nameWidth + gap, y: top, width: detailWidth, value: "Radio", identifier: "radio.detail")
        return canvas.frame
    }
}
