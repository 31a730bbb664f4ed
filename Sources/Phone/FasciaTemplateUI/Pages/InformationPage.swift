import FasciaAppLink
import FasciaPaint
import FasciaScene

extension PageContext {
    static let maximumInformationItems = 10
    static let maximumInformationActions = 3

    func information(_ template: AppTemplate, in rect: Rect) {
        let information = template.information
        let actions = information.actions.prefix(Self.maximumInformationActions)
        let footer = actions.isEmpty ? 0.0 : 56.0
        let area = Rect(rect.x, rect.y, rect.width, rect.height - footer)
        let items = information.items.prefix(Self.maximumInformationItems)
        let texts = items.map { measure($0, twoColumn: information.twoColumn) }
        let height = texts.reduce(8) { $0 + $1 } + 6
        let (content, window) = scroller(area, content: height)
        let overflows = height > area.height
        var y = 8.0
        for (index, item) in items.enumerated() {
            let box = Rect(0, y, rect.width, texts[index])
            if box.maxY >= window.lowerBound, box.y <= window.upperBound {
                informationItem(item, index, box, twoColumn: information.twoColumn, isLast: index == items.count - 1, isStop: overflows, in: content)
            }
            y += texts[index]
        }
        scrollIndicator(area)
        if overflows { canvas.separator("footer.line", x: 0, y: area.maxY, width: rect.width, in: place) }
        footerButtons(actions, template.id, Rect(rect.x, rect.maxY - footer, rect.width, footer))
    }

    private var innerWidth: Double { bounds.width - 2 * metrics.margin }
    private var columnWidth: Double { min(220, innerWidth * 0.4) }

    private func measure(_ item: AppInformationItem, twoColumn: Bool) -> Double {
        let width = twoColumn ? innerWidth - columnWidth - 12 : innerWidth
        let lines = item.detail.isEmpty ? 0 : canvas.label(item.detail, .row, width: width, lines: 4).lines
        if twoColumn { return Double(max(1, lines)) * Font.row.leading + 16 }
        return (item.title.isEmpty ? 0 : 19) + (item.hasRating_p ? 24 : Double(lines) * Font.row.leading) + 17
    }

    private func informationItem(_ item: AppInformationItem, _ index: Int, _ box: Rect, twoColumn: Bool, isLast: Bool, isStop: Bool, in content: Canvas.Place) {
        let place = canvas.layer("info\(index)", box, in: content)
        let left = metrics.margin
        if twoColumn {
            let x = left + columnWidth + 12, width = innerWidth - columnWidth - 12
            canvas.text("title", item.title, .body, palette.secondary, x: left, baseline: 22, width: columnWidth, in: place)
            if item.hasRating_p { rating(item, x: x, centerY: 17, in: place) } else {
                canvas.text("detail", item.detail, .row, palette.text, x: x, baseline: 22.5, width: width, lines: 4, in: place)
            }
        } else {
            var baseline = 18.0
            if !item.title.isEmpty {
                canvas.text("title", item.title, .detail, palette.secondary, x: left, baseline: baseline, width: innerWidth, in: place)
                baseline += 21
            } else { baseline += 2 }
            if item.hasRating_p { rating(item, x: left, centerY: baseline - 5, in: place) } else {
                canvas.text("detail", item.detail, .row, palette.text, x: left, baseline: baseline, width: innerWidth, lines: 4, in: place)
            }
        }
        if !isLast { canvas.separator("line", x: left, y: box.height - 0.5, width: box.width - left - metrics.rowInset, in: place) }
        canvas.element(key("info\(index)"), Rect(metrics.rowInset, 0, box.width - 2 * metrics.rowInset, box.height - 1), in: place) {
            $0.role = .text
            $0.focusable = isStop // a knob scrolls by moving through them
            $0.focusRank = 60
            $0.label = item.title.isEmpty ? item.detail : item.title
            $0.value = item.hasRating_p ? "\(item.rating) of \(item.maximumRating)" : item.title.isEmpty ? "" : item.detail
            $0.identifier = "info.\(index)"
        }
    }

    private func rating(_ item: AppInformationItem, x: Double, centerY: Double, in place: Canvas.Place) {
        let count = item.maximumRating.isFinite ? Int(max(1, min(5, item.maximumRating.rounded()))) : 5
        for star in 0..<count {
            let name = Float(star + 1) <= item.rating ? "star.fill" : Float(star) + 0.5 <= item.rating ? "star.leadinghalf.filled" : "star"
            canvas.icon("star\(star)", Icon(symbolName: name), 22, palette.accent, centerX: x + 10 + Double(star) * 24, centerY: centerY, in: place)
        }
    }

    private func footerButtons(_ actions: ArraySlice<AppTextButton>, _ template: UInt64, _ rect: Rect) {
        guard !actions.isEmpty else { return }
        let gap = 10.0, width = min(300, (rect.width - 2 * metrics.margin - gap * Double(actions.count - 1)) / Double(actions.count))
        let total = width * Double(actions.count) + gap * Double(actions.count - 1)
        for (index, action) in actions.enumerated() {
            let box = Rect(rect.midX - total / 2 + Double(index) * (width + gap), rect.y + 7, width, 42)
            let look: ButtonLook = action.style == .confirm ? .prominent : .plain
            textButton("action\(index)", action.title, look, box, in: place) {
                $0.action = .activate(template: template, element: action.element)
                $0.identifier = "action.\(index)"
                $0.focusRank = 10 + index
            }
        }
    }

    enum ButtonLook { case plain, prominent, destructive }

    /// A wide button with a text.
    func textButton(_ part: String, _ title: String, _ look: ButtonLook, _ box: Rect, in place: Canvas.Place, configure: (inout Element) -> Void) {
        let color = switch look {
        case .plain: palette.text
        case .prominent: palette.onAccent
        case .destructive: palette.destructive
        }
        canvas.fill(part + ".ground", box, look == .prominent ? palette.accent : palette.fill, in: place, radius: 10)
        canvas.text(part, title, .button, color, x: box.x + 10, baseline: Font.button.baseline(centeredAt: box.midY), width: box.width - 20, align: .center, in: place)
        canvas.element(key(part), box, in: place) {
            $0.label = title
            $0.isProminent = look == .prominent
            configure(&$0)
        }
    }
}
