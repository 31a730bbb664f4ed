import FasciaPaint
import FasciaScene

/// Paints the car's own screens for one screen profile.
struct NativeScreens {
    let painter: Painter
    let profile: ScreenProfile

    private static let spinnerID: UInt32 = 1
    /// The card's icon, points.
    private static let symbolSize = 28.0

    /// Home while no phone shows anything.
    func home(_ model: NativeModel) -> SceneFrame {
        let theme = model.night ? NativeTheme.night : .day
        var canvas = NativeCanvas(painter: painter, scale: profile.scale, background: theme.backgroundBottom)
        let width = Double(profile.width), height = Double(profile.height)
        canvas.box(0, 0, width, height, .gradient(top: theme.backgroundTop, bottom: theme.backgroundBottom))
        let insets = profile.insets
        let margin = canvas.points(min(28, max(18, height / profile.scale * 0.08)))
        let free = width - Double(insets.left + insets.right)
        // On very wide screens clock and card stay together in the middle.
        let side = max(margin, ((free - canvas.points(720)) / 2).rounded())
        let area = Area(x: Double(insets.left) + side, y: Double(insets.top) + margin, width: free - 2 * side, height: height - Double(insets.top + insets.bottom) - 2 * margin)
        if area.height > area.width {
            let split = (area.height * 0.42).rounded()
            clock(model, theme, area.part(y: 0, height: split), &canvas)
            card(model, theme, area.part(y: split, height: area.height - split), &canvas)
        } else {
            let gap = canvas.points(min(40, max(18, width / profile.scale * 0.045)))
            let cardWidth = min(((area.width - gap) * 0.57).rounded(), canvas.points(340))
            let clockWidth = area.width - gap - cardWidth
            let clockArea = area.part(x: model.driverOnRight ? cardWidth + gap : 0, width: clockWidth)
            let cardArea = area.part(x: model.driverOnRight ? 0 : clockWidth + gap, width: cardWidth)
            clock(model, theme, clockArea, &canvas)
            card(model, theme, cardArea, &canvas)
        }
        return canvas.frame
    }

    /// Over the phone's frozen picture while it may still come back.
    func connectionLost(phone: String, night: Bool) -> SceneFrame {
        let theme = night ? NativeTheme.night : .day
        var canvas = NativeCanvas(painter: painter, scale: profile.scale, background: Color(rgba: 0))
        let width = Double(profile.width), height = Double(profile.height)
        canvas.box(0, 0, width, height, .solid(theme.scrim))
        let title = "Connection lost", detail = "Reconnecting to \(phone)"
        let ring = canvas.points(30), padding = canvas.points(20), gap = canvas.points(16)
        let textWidth = min(canvas.points(250), width - 4 * padding - ring - gap)
        let titleWidth = Double(painter.label(title, TextStyle(size: canvas.points(18), weight: .semibold)).width)
        let detailWidth = Double(painter.label(detail, TextStyle(size: canvas.points(14), maxWidth: Int(textWidth))).width)
        let cardWidth = padding * 2 + ring + gap + max(titleWidth, min(detailWidth, textWidth))
        let titleHeight = canvas.height(title, size: 18, .semibold, width: textWidth, lines: 1)
        let detailHeight = canvas.height(detail, size: 14, .regular, width: textWidth, lines: 1)
        let cardHeight = padding * 2 + titleHeight + canvas.points(3) + detailHeight
        let x = ((width - cardWidth) / 2).rounded(), y = ((height - cardHeight) / 2).rounded()
        canvas.box(x, y, cardWidth, cardHeight, .solid(theme.card), radius: canvas.points(18), border: theme.cardBorder)
        canvas.spinner(size: 30, theme.secondary, x: x + padding, y: (y + (cardHeight - ring) / 2).rounded(), id: Self.spinnerID)
        let left = x + padding + ring + gap
        canvas.text(title, size: 18, .semibold, theme.primary, x: left, y: y + padding, width: textWidth, identifier: "notice.title", role: .alert)
        canvas.text(detail, size: 14, .regular, theme.secondary, x: left, y: y + padding + titleHeight + canvas.points(3), width: textWidth,
                    identifier: "notice.detail")
        return canvas.frame
    }

    // MARK: Parts

    private struct Area {
        var x, y, width, height: Double
        func part(x offset: Double = 0, width: Double? = nil) -> Area { Area(x: x + offset, y: y, width: width ?? self.width, height: height) }
        func part(y offset: Double, height: Double) -> Area { Area(x: x, y: y + offset, width: width, height: height) }
    }

    private func clock(_ model: NativeModel, _ theme: NativeTheme, _ area: Area, _ canvas: inout NativeCanvas) {
        let nameHeight = canvas.text(model.carName, size: 16, .semibold, theme.secondary, x: area.x, y: area.y, width: area.width, identifier: "car.name", role: .header)
        let points = canvas.fitting(model.clock, size: min(area.height / profile.scale * 0.4, 104), .semibold, width: area.width)
        let dateSize = canvas.fitting(model.date, size: 16, .regular, width: area.width)
        let timeHeight = canvas.height(model.clock, size: points, .semibold, width: area.width, lines: 1)
        let dateHeight = canvas.height(model.date, size: dateSize, .regular, width: area.width, lines: 1)
        if let radio = model.radio { self.radio(radio, theme, area, &canvas) }
        let block = timeHeight + dateHeight
        let foot = model.radio.map { radioHeight($0, area, canvas) + canvas.points(8) } ?? 0
        let top = max(area.y + nameHeight, min((area.y + (area.height - block) / 2).rounded(), area.y + area.height - foot - block))
        canvas.text(model.clock, size: points, .semibold, theme.primary, x: area.x, y: top, width: area.width, optical: true, identifier: "clock")
        canvas.text(model.date, size: dateSize, .regular, theme.secondary, x: area.x, y: top + timeHeight, width: area.width, identifier: "date")
    }

    /// What the radio plays, at the foot of the clock.
    private func radio(_ radio: NativeModel.Radio, _ theme: NativeTheme, _ area: Area, _ canvas: inout NativeCanvas) {
        let icon = canvas.points(24), gap = canvas.points(10), width = area.width - icon - gap
        let nameHeight = canvas.height(radio.station, size: 15, .semibold, width: width, lines: 1)
        let y = area.y + area.height - radioHeight(radio, area, canvas)
        canvas.icon("radio", size: 24, radio.isHeard ? theme.accent : theme.secondary, x: area.x - canvas.points(2), y: (y + (area.y + area.height - y - icon) / 2).rounded())
        let left = area.x + icon + gap
        canvas.text(radio.station, size: 15, .semibold, theme.primary, x: left, y: y, width: width, identifier: "radio.station")
        canvas.text(radio.detail, size: 14, .regular, theme.secondary, x: left, y: y + nameHeight, width: width, value: "Radio", identifier: "radio.detail")
    }

    private func radioHeight(_ radio: NativeModel.Radio, _ area: Area, _ canvas: NativeCanvas) -> Double {
        canvas.height(radio.station, size: 15, .semibold, width: area.width, lines: 1) + canvas.height(radio.detail, size: 14, .regular, width: area.width, lines: 1)
    }

    private func card(_ model: NativeModel, _ theme: NativeTheme, _ area: Area, _ canvas: inout NativeCanvas) {
        let card = model.card
        let padding = canvas.points(18), symbol = canvas.points(Self.symbolSize)
        let width = area.width - 2 * padding
        let code = model.pairingCode.map { $0.count == 6 ? "\($0.prefix(3)) \($0.suffix(3))" : $0 }
        let codeSize = canvas.fitting(code ?? "", size: 48, .semibold, width: width)
        let titleSize = max(15, canvas.fitting(card.title, size: 20, .semibold, width: width))
        let titleHeight = canvas.height(card.title, size: titleSize, .semibold, width: width, lines: 2)
        let detailHeight = card.detail.isEmpty ? 0 : canvas.height(card.detail, size: 14, .regular, width: width, lines: 3)
        let codeHeight = code.map { canvas.height($0, size: codeSize, .semibold, width: width, lines: 1) } ?? 0
        let textGap = canvas.points(4), texts = symbol + titleHeight + textGap + detailHeight + codeHeight
        // Air where there is height for it.
        let gap = area.height - texts >= canvas.points(72) ? canvas.points(14) : canvas.points(8)
        let content = texts + gap + (code == nil ? 0 : gap)
        let height = min(area.height, content + 2 * canvas.points(22))
        let top = (area.y + (area.height - height) / 2).rounded()
        canvas.box(area.x, top, area.width, height, .solid(theme.card), radius: canvas.points(18), border: theme.cardBorder)
        var y = (top + (height - content) / 2).rounded()
        switch card.symbol {
        case .spinner: canvas.spinner(size: Self.symbolSize, theme.secondary, x: area.x + padding, y: y, id: Self.spinnerID)
        case .icon(let glyph, let tone):
            let color = tone == .good ? theme.good : tone == .bad ? theme.bad : theme.accent
            // The icons' ink begins inside of their square, the narrow phone's later than the round ones'.
            let bearing = Self.symbolSize * (glyph == "smartphone" ? 5 : 2) / 24
            canvas.icon(glyph, size: Self.symbolSize, color, x: area.x + padding - canvas.points(bearing), y: y)
        }
        y += symbol + gap
        canvas.text(card.title, size: titleSize, .semibold, theme.primary, x: area.x + padding, y: y, width: width, lines: 2, identifier: "card.title",
                    role: model.notice?.kind == .bad ? .alert : .header)
        y += titleHeight + textGap
        if !card.detail.isEmpty {
            canvas.text(card.detail, size: 14, .regular, theme.secondary, x: area.x + padding, y: y, width: width, lines: 3, identifier: "card.detail")
            y += detailHeight
        }
        if let code, let digits = model.pairingCode {
            canvas.text(code, size: codeSize, .semibold, theme.primary, x: area.x + padding, y: y + gap, width: width, optical: true, says: digits, value: "Pairing code",
                        identifier: "pairing.code")
        }
    }
}
