import FasciaAppLink
import FasciaPaint
import FasciaScene

/// Heights and places of a list's parts: known without painting anything, so that a long list costs what is seen of it.
struct ListLayout {
    enum Part {
        case gridButtons
        case header(section: Int)
        case row(section: Int, item: Int)
        /// The rest is not shown while the car moves.
        case cut
    }

    var parts: [(part: Part, y: Double, height: Double)] = []
    var height = 0.0
    /// Section titles for the index strip, and where they start.
    var index: [(title: String, y: Double)] = []
    var isEmpty = true

    init(_ list: AppListTemplate, metrics: Metrics, width: Double, limit: Int?) {
        var y = 4.0
        func add(_ part: Part, _ height: Double) {
            parts.append((part, y, height))
            y += height
        }
        if !list.headerGridButtons.isEmpty { add(.gridButtons, metrics.isRoomy ? 88 : 84) }
        var shown = 0
        sections: for (s, section) in list.sections.enumerated() where !section.items.isEmpty || !section.header.isEmpty {
            if !section.indexTitle.isEmpty { index.append((section.indexTitle, y)) }
            if !section.header.isEmpty { add(.header(section: s), section.hasHeaderButton ? 42 : shown == 0 && s == 0 ? 30 : 36) }
            for i in section.items.indices {
                if let limit, shown >= limit { add(.cut, 40); break sections }
                add(.row(section: s, item: i), Self.height(section.items[i], metrics: metrics, width: width))
                shown += 1
            }
        }
        isEmpty = shown == 0
        height = y + 8
    }

    private static func height(_ item: AppListItem, metrics: Metrics, width: Double) -> Double {
        guard item.hasImageRow else { return item.hasDetail_p && !item.detail.isEmpty ? metrics.detailRowHeight : metrics.rowHeight }
        return ImageRowLayout(item.imageRow, metrics: metrics, width: width).height
    }
}

extension PageContext {
    func list(_ template: AppTemplate, in rect: Rect) {
        let list = template.list
        let layout = ListLayout(list, metrics: metrics, width: bounds.width, limit: limitedUI ? ScreenTraits.limitedListItems : nil)
        guard !layout.isEmpty || !list.headerGridButtons.isEmpty else { return emptyList(list, in: rect) }
        let showsIndex = layout.index.count > 1 && layout.height > rect.height * 1.5
        let (content, window) = scroller(rect, content: layout.height)
        let width = rect.width - (showsIndex ? 22 : 0)
        var number = 0
        for (part, y, height) in layout.parts {
            let box = Rect(0, y, width, height)
            let isNear = y + height >= window.lowerBound && y <= window.upperBound
            switch part {
            case .gridButtons: headerGrid(list.headerGridButtons, template.id, box, in: content)
            case .header(let s): if isNear || canvas.isInteractive { sectionHeader(list.sections[s], s, template.id, box, isNear: isNear, in: content) }
            case .cut: cutNote(box, isNear: isNear, in: content)
            case .row(let s, let i):
                row(list.sections[s].items[i], template.id, number, box, isNear: isNear, in: content)
                number += 1
            }
        }
        if showsIndex { indexStrip(layout, rect) } else { scrollIndicator(rect) }
    }

    /// A quiet thumb beside a page longer than its window. It moves with the content, as a layer of the scroller.
    func scrollIndicator(_ rect: Rect) {
        let scroll = state.scroll
        guard scroll.limit > 1 else { return }
        let track = rect.height - 12
        let thumb = max(24, track * rect.height / scroll.content)
        func y(_ offset: Double) -> Double { 6 + (track - thumb) * offset / scroll.limit }
        canvas.fill("thumb", Rect(rect.maxX - 4, rect.y + y(scroll.offset), 2.5, thumb), palette.track, in: place, z: 4, radius: 1.25) {
            guard let motion = scroll.motion else { return }
            $0.animations = [.init(id: motion.id, property: .y, from: canvas.pixels(rect.y + y(motion.from)), to: canvas.pixels(rect.y + y(motion.to)),
                                   milliseconds: UInt32(motion.duration / 1_000_000), curve: .easeOut)]
        }
    }

    private func sectionHeader(_ section: AppListSection, _ index: Int, _ template: UInt64, _ box: Rect, isNear: Bool, in content: Canvas.Place) {
        let header = canvas.layer("header\(index)", box, in: content)
        let button = section.hasHeaderButton && section.headerButton.element != 0 ? section.headerButton : nil
        let buttonHasImage = button.map { app.images[$0.image] != nil } ?? false
        let buttonWidth = button.map { buttonHasImage ? 40 : min(120, canvas.width($0.title, .caption)) + 24 } ?? 0
        let middle = button == nil ? nil : box.height - 20
        let baseline = middle.map { Font.header.baseline(centeredAt: $0) } ?? box.height - 10
        var left = metrics.margin
        let right = box.width - metrics.margin - (button == nil ? 0 : buttonWidth + 12)
        if isNear {
            if section.headerImage != 0 {
                picture("image", section.headerImage, Rect(left, baseline - Font.header.size * Font.capHeight / 2 - 10, 20, 20), radius: 4, placeholder: nil, in: header)
                left += 28
            }
            left += canvas.text("title", section.header, .header, palette.secondary, x: left, baseline: baseline, width: right - left, in: header)
            if !section.headerSubtitle.isEmpty, right - left > 40 {
                canvas.text("subtitle", section.headerSubtitle, .caption, palette.secondary, x: left + 8, baseline: baseline, width: right - left - 8, in: header)
            }
        }
        canvas.element(key("header\(index)"), Rect(0, 0, box.width, box.height), in: header) {
            $0.role = .header
            $0.focusable = false
            $0.label = section.header
            $0.value = section.headerSubtitle
            $0.identifier = "header.\(index)"
        }
        guard let button, let middle else { return }
        let rect = Rect(box.width - metrics.margin - buttonWidth, middle - 15, buttonWidth, 30)
        canvas.fill("button.ground", rect, palette.fill, in: header, radius: 15)
        if buttonHasImage { symbol("button", button.image, 18, palette.text, centerX: rect.midX, centerY: rect.midY, in: header) } else {
            canvas.text("button", button.title, .caption, palette.text, x: rect.x + 12, baseline: Font.caption.baseline(centeredAt: rect.midY), width: buttonWidth - 24, in: header)
        }
        canvas.element(key("header\(index).button"), rect, in: header) {
            $0.action = .activate(template: template, element: button.element)
            $0.label = button.title
            $0.enabled = button.enabled
            $0.identifier = "header.\(index).button"
            $0.cornerRadius = 15
        }
    }

    private func cutNote(_ box: Rect, isNear: Bool, in content: Canvas.Place) {
        let note = "More is shown when the car is parked"
        if isNear {
            canvas.text("cut", note, .detail, palette.secondary, x: metrics.margin, baseline: Font.detail.baseline(centeredAt: box.midY), width: box.width - 2 * metrics.margin, in: content)
        }
        canvas.element(key("cut"), box, in: content) {
            $0.role = .text
            $0.focusable = false
            $0.label = note
            $0.identifier = "list.cut"
        }
    }

    func emptyList(_ list: AppListTemplate, in rect: Rect) {
        let width = min(rect.width - 2 * metrics.margin, 420)
        let title = variant(list.emptyTitleVariants, .title, width: width, lines: 2), subtitle = variant(list.emptySubtitleVariants, .body, width: width, lines: 3)
        let x = rect.midX - width / 2
        if list.showsSpinnerWhileEmpty {
            canvas.spinner("empty.spinner", 36, palette.secondary, centerX: rect.midX, centerY: rect.midY - (title.isEmpty ? 0 : 34), in: place)
            canvas.element(key("empty.spinner"), .centered(rect.midX, rect.midY, 36), in: place) {
                $0.role = .spinner
                $0.focusable = false
                $0.busy = true
                $0.label = "Loading"
                $0.identifier = "list.loading"
            }
        }
        let shown = title.isEmpty && subtitle.isEmpty && !list.showsSpinnerWhileEmpty ? "Nothing here yet" : title
        let lines = Double(max(1, canvas.label(shown, .title, width: width, lines: 2).lines))
        var baseline = rect.midY + (list.showsSpinnerWhileEmpty ? 18 : subtitle.isEmpty ? 6 : -6) - (lines - 1) * Font.title.leading / 2
        canvas.text("empty.title", shown, .title, palette.text, x: x, baseline: baseline, width: width, align: .center, lines: 2, in: place)
        baseline += (lines - 1) * Font.title.leading + 26
        canvas.text("empty.subtitle", subtitle, .body, palette.secondary, x: x, baseline: baseline, width: width, align: .center, lines: 3, in: place)
        guard !shown.isEmpty || !subtitle.isEmpty else { return }
        canvas.element(key("empty"), Rect(x, rect.midY - 40, width, 80), in: place) {
            $0.role = .text
            $0.focusable = false
            $0.label = shown.isEmpty ? subtitle : shown
            $0.value = shown.isEmpty ? "" : subtitle
            $0.identifier = "list.empty"
        }
    }

    /// Letters at the edge that jump to their section; as many as there is height for.
    private func indexStrip(_ layout: ListLayout, _ rect: Rect) {
        let most = max(2, Int((rect.height - 12) / 15))
        let step = max(1, Int((Double(layout.index.count) / Double(most)).rounded(.up)))
        let shown = stride(from: 0, to: layout.index.count, by: step).map { layout.index[$0] }
        let height = min(22, (rect.height - 12) / Double(shown.count))
        let top = rect.midY - height * Double(shown.count) / 2
        for (number, entry) in shown.enumerated() {
            let box = Rect(rect.maxX - 28, top + Double(number) * height, 26, height)
            canvas.text("index\(number)", String(entry.title.prefix(2)), .index, palette.accent, x: box.x, baseline: Font.index.baseline(centeredAt: box.midY), width: box.width, align: .center, in: place, z: 4)
            canvas.element(key("index\(number)"), box, in: place) {
                $0.action = .jump(entry.y)
                $0.focusable = false
                $0.label = "Section \(entry.title)"
                $0.identifier = "index.\(number)"
            }
        }
    }
}
