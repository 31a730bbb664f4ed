import FasciaPaint
import FasciaScene

extension NativeScreens {
    /// Volume and microphone over whatever is on the screen. Nothing in it takes touches.
    func sound(_ overlay: SoundOverlay, underBanner: Bool, driverOnRight: Bool, night: Bool) -> SceneFrame {
        let theme = night ? NativeTheme.night : .day
        var canvas = NativeCanvas(painter: painter, scale: profile.scale, background: Color(rgba: 0))
        if let level = overlay.level { volume(level, theme, top: underBanner ? Self.ringHeight + 6 : overlay.listener != nil && overlay.isListenerNew ? 30 : 10, &canvas) }
        if let listener = overlay.listener { microphone(overlay, for: listener, driverOnRight: driverOnRight, theme, &canvas) }
        return canvas.frame
    }

    /// A bar at the upper edge, where no finger is on its way to something else, or below a banner there: a call that rings is the highest.
    /// - Parameter top: points.
    private func volume(_ level: SoundOverlay.Level, _ theme: NativeTheme, top: Double, _ canvas: inout NativeCanvas) {
        let insets = profile.insets
        let free = Double(profile.width - insets.left - insets.right)
        let width = min(canvas.points(250), free - canvas.points(24)), height = canvas.points(52)
        let x = Double(insets.left) + ((free - width) / 2).rounded(), y = Double(insets.top) + canvas.points(top)
        let padding = canvas.points(14), icon = canvas.points(24), gap = canvas.points(12)
        shadow(x, y, width, height, radius: 14, theme, &canvas)
        canvas.box(x, y, width, height, .solid(theme.card), radius: canvas.points(14), border: theme.cardBorder)
        let tone = level.muted ? theme.secondary : theme.accent
        canvas.icon(level.muted ? "volume_off" : level.percent == 0 ? "volume_mute" : "volume_up", size: 24, tone, x: x + padding, y: (y + (height - icon) / 2).rounded())
        let left = x + padding + icon + gap, barWidth = width - 2 * padding - icon - gap
        let said = level.muted ? "Muted" : "\(level.percent)"
        let textTop = y + canvas.points(8)
        let textHeight = canvas.text(level.route.title, size: 14, .semibold, theme.primary, x: left, y: textTop, width: barWidth - canvas.points(56), identifier: "volume.route")
        canvas.text(said, size: 14, .semibold, theme.secondary, x: left + barWidth, y: textTop, width: canvas.points(56), alignment: .trailing,
                    says: level.muted ? "Muted" : "Volume \(level.percent)", identifier: "volume.value")
        let thickness = canvas.points(5), barTop = min(textTop + textHeight + canvas.points(7), y + height - thickness - canvas.points(8))
        canvas.box(left, barTop, barWidth, thickness, .solid(theme.track), radius: thickness / 2)
        let filled = (barWidth * Double(level.percent) / 100).rounded()
        if filled > 0 { canvas.box(left, barTop, max(filled, thickness), thickness, .solid(tone), radius: thickness / 2) }
    }

    /// Hangs from the upper edge in the driver's corner; the same colours by day and night, as a warning light has. In words at first, then
    /// so small that a long call does not cover what phones have there: a clock, an arrow back, a button.
    private func microphone(_ overlay: SoundOverlay, for listener: String, driverOnRight: Bool, _ theme: NativeTheme, _ canvas: inout NativeCanvas) {
        let insets = profile.insets, title = "Microphone", isLarge = overlay.isListenerNew
        let icon = canvas.points(isLarge ? 16 : 9), gap = canvas.points(5), padding = canvas.points(11), height = canvas.points(isLarge ? 24 : 10)
        let label = isLarge ? canvas.labelWidth(title, size: 13, .semibold) : 0
        let width = 2 * padding + icon + (isLarge ? gap + label : 0), radius = canvas.points(isLarge ? 10 : 5)
        let margin = canvas.points(13), y = Double(insets.top)
        let x = driverOnRight ? Double(profile.width - insets.right) - margin - width : Double(insets.left) + margin
        // Its upper corners are beyond the edge.
        if isLarge { shadow(x, y - radius, width, height + radius, radius: 10, theme, &canvas) }
        canvas.box(x, y - radius, width, height + radius, .solid(NativeTheme.microphone), radius: radius, border: NativeTheme.microphoneEdge)
        canvas.icon("mic", size: isLarge ? 16 : 9, NativeTheme.onMicrophone, x: x + padding, y: (y + (height - icon) / 2).rounded())
        guard isLarge else { return canvas.region(title, identifier: "microphone", role: .text, x, y, width, height) }
        let textHeight = canvas.height(title, size: 13, .semibold, width: label + 2, lines: 1)
        canvas.text(title, size: 13, .semibold, NativeTheme.onMicrophone, x: x + padding + icon + gap, y: (y + (height - textHeight) / 2).rounded(),
                    width: label + 2, value: listener, identifier: "microphone")
    }
}
