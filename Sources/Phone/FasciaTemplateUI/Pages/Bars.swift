import FasciaAppLink
import FasciaPaint
import FasciaScene

extension PageContext {
    /// The navigation bar.
    /// - Returns: the rest of the page.
    func navigationBar(_ template: AppTemplate, title: String, canGoBack: Bool, extra: AppBarButton? = nil, extraAction: ElementAction = .none) -> Rect {
        let bar = canvas.layer("bar", Rect(0, 0, bounds.width, metrics.barHeight), in: place)
        let middle = metrics.barHeight / 2
        var left = metrics.margin, right = bounds.width - 8
        if canGoBack { left = backButton(template, in: bar, middle: middle) }
        if template.leadingButtons.isEmpty == false { left += canGoBack ? 4 : -8 }
        for (index, button) in template.leadingButtons.prefix(2).enumerated() {
            left += barButton(button, "leading.\(index)", template: template.id, x: left, fromRight: false, middle: middle, in: bar) + 6
        }
        if offersNowPlaying { right -= nowPlayingButton(right: right, middle: middle, in: bar) + 6 }
        for (index, button) in template.trailingButtons.prefix(2).enumerated() {
            right -= barButton(button, "trailing.\(index)", template: template.id, x: right, fromRight: true, middle: middle, in: bar) + 6
        }
        if let extra { right -= barButton(extra, "upnext", template: template.id, x: right, fromRight: true, middle: middle, in: bar, action: extraAction) + 6 }
        if !title.isEmpty {
            if !template.leadingButtons.isEmpty { left += 4 }
            let width = max(0, right - left - 4)
            canvas.text("title", title, .title, palette.text, x: left, baseline: Font.title.baseline(centeredAt: middle), width: width, in: bar)
            canvas.element(key("title"), Rect(left, 0, width, metrics.barHeight), in: bar) {
                $0.role = .header
                $0.focusable = false
                $0.label = title
                $0.identifier = "title"
            }
        }
        return Rect(0, metrics.barHeight, bounds.width, bounds.height - metrics.barHeight)
    }

    /// - Returns: where the title may start.
    private func backButton(_ template: AppTemplate, in bar: Canvas.Place, middle: Double) -> Double {
        let custom = template.hasBackButton ? template.backButton : AppBarButton()
        let titleWidth = custom.title.isEmpty ? 0 : min(120, canvas.width(custom.title, .barButton))
        let width = 40 + (titleWidth > 0 ? titleWidth + 8 : 0)
        canvas.icon("back", Icon(symbolName: "chevron.left"), 30, palette.text, centerX: 26, centerY: middle, in: bar)
        if titleWidth > 0 {
            canvas.text("back.title", custom.title, .barButton, palette.text, x: 42, baseline: Font.barButton.baseline(centeredAt: middle), width: titleWidth, in: bar)
        }
        canvas.element(key("back"), Rect(6, middle - 18, width, 36), in: bar) {
            $0.action = .back
            $0.label = custom.title.isEmpty ? "Back" : custom.title
            $0.identifier = "back"
            $0.cornerRadius = 18
        }
        return 6 + width + 4
    }

    /// - Returns: its width.
    private func barButton(_ button: AppBarButton, _ part: String, template: UInt64, x: Double, fromRight: Bool, middle: Double, in bar: Canvas.Place, action: ElementAction? = nil) -> Double {
        let color = button.enabled ? palette.text : palette.quiet
        let hasImage = button.image != 0 && app.images[button.image] != nil
        let titleWidth = hasImage ? 0 : min(150, canvas.width(button.title, .barButton))
        let width = hasImage ? 40 : titleWidth + 24
        let rect = Rect(fromRight ? x - width : x, middle - 17, width, 34)
        canvas.fill(part + ".ground", rect, palette.fill, in: bar, radius: 17)
        if hasImage { symbol(part, button.image, 22, color, centerX: rect.midX, centerY: middle, in: bar) } else {
            canvas.text(part, button.title, .barButton, color, x: rect.x + 12, baseline: Font.barButton.baseline(centeredAt: middle), width: titleWidth, in: bar)
        }
        canvas.element(key(part), rect, in: bar) {
            $0.action = action ?? .barButton(template: template, element: button.element)
            $0.label = button.title
            $0.enabled = button.enabled
            $0.identifier = part
            $0.cornerRadius = 17
        }
        return width
    }

    func nowPlayingButton(right: Double, middle: Double, in bar: Canvas.Place) -> Double {
        let rect = Rect(right - 44, middle - 17, 44, 34)
        canvas.fill("nowplaying.ground", rect, palette.fill, in: bar, radius: 17)
        canvas.icon("nowplaying", Icon(symbolName: "waveform"), 24, palette.accent, centerX: rect.midX, centerY: middle, in: bar)
        canvas.element(key("nowplaying"), rect, in: bar) {
            $0.action = .showNowPlaying
            $0.label = "Now Playing"
            $0.value = app.nowPlaying?.title ?? ""
            $0.identifier = "nowplaying"
            $0.cornerRadius = 17
        }
        return 44
    }

    /// The tab bar over a tab's root.
    func tabBar(_ template: AppTemplate, selected: UInt64?) -> Rect {
        let bar = canvas.layer("tabs", Rect(0, 0, bounds.width, metrics.tabBarHeight), in: place)
        let tabs = template.tabBar.templates.prefix(5)
        let edge = 6.0, gap = 3.0
        let reserved = offersNowPlaying ? 44.0 + 6 : 0
        let width = min(190, (bounds.width - 2 * edge - reserved - gap * Double(max(0, tabs.count - 1))) / Double(max(1, tabs.count)))
        let height = metrics.tabBarHeight - 8
        for (index, id) in tabs.enumerated() {
            let tab = app.templates[id] ?? AppTemplate()
            let place = canvas.layer("tab\(id)", Rect(edge + Double(index) * (width + gap), 4, width, height), in: bar)
            drawTab(tab, isSelected: id == selected, index: index, width: width, height: height, in: place)
        }
        if offersNowPlaying { _ = nowPlayingButton(right: bounds.width - edge, middle: metrics.tabBarHeight / 2, in: bar) }
        canvas.separator("tabs.line", x: 0, y: metrics.tabBarHeight - 0.5, width: bounds.width, in: place)
        return Rect(0, metrics.tabBarHeight, bounds.width, bounds.height - metrics.tabBarHeight)
    }

    private func drawTab(_ tab: AppTemplate, isSelected: Bool, index: Int, width: Double, height: Double, in place: Canvas.Place) {
        let look = TabLook(tab, hasImage: app.images[tab.tabImage] != nil)
        let color = isSelected ? palette.text : palette.secondary
        if isSelected { canvas.fill("ground", Rect(0, 0, width, height), palette.fill, in: place, radius: 10) }
        let wide = width >= 118
        let most = wide ? width - 46 : width - 4
        let fonts: [Font] = wide ? [.wideTab, .tab] : [.tab]
        let font = fonts.first { canvas.width(look.title, $0) <= most } ?? .smallTab
        let titleWidth = look.title.isEmpty ? 0 : min(most, canvas.width(look.title, font))
        let iconX = wide && titleWidth > 0 ? (width - titleWidth - 30) / 2 + 11 : width / 2
        let iconY = wide || titleWidth == 0 ? height / 2 : height / 2 - 8
        let hasIcon = look.icon != nil || tab.tabImage != 0
        if let icon = look.icon { canvas.icon("icon", icon, 22, color, centerX: iconX, centerY: iconY, in: place) } else {
            symbol("icon", tab.tabImage, 22, color, centerX: iconX, centerY: iconY, in: place)
        }
        if titleWidth > 0 {
            let baseline = wide || !hasIcon ? font.baseline(centeredAt: height / 2) : height - 7
            canvas.text("title", look.title, font, color, x: wide ? iconX + (hasIcon ? 19 : -titleWidth / 2) : 2, baseline: baseline,
                        width: wide ? titleWidth : width - 4, align: wide ? .left : .center, in: place)
        }
        if tab.showsTabBadge { canvas.fill("badge", Rect(iconX + 8, iconY - 12, 8, 8), palette.badge, in: place, z: 3, radius: 4) }
        canvas.element(key("tab\(tab.id)"), Rect(0, 0, width, height), in: place) {
            $0.action = .tab(tab.id)
            $0.role = .tab
            $0.label = look.title.isEmpty ? "Tab \(index + 1)" : look.title
            $0.value = tab.showsTabBadge ? "New" : ""
            $0.selected = isSelected
            $0.identifier = "tab.\(index)"
        }
    }
}

/// What a tab shows: its own title and image win; a system item fills in; with neither it is "More".
struct TabLook {
    var title: String
    var icon: Icon?

    init(_ tab: AppTemplate, hasImage: Bool) {
        title = tab.tabTitle
        guard title.isEmpty || !hasImage else { return }
        let item = tab.tabSystemItem >= 0 ? Self.systemItems[Int(tab.tabSystemItem)] : nil
        if let item {
            if title.isEmpty, !hasImage { title = item.title }
            if !hasImage { icon = Icon(symbolName: item.symbol) }
        } else if title.isEmpty, !hasImage {
            title = "More"
            icon = Icon(symbolName: "ellipsis")
        }
    }

    /// `UITabBarItem.SystemItem` by raw value.
    private static let systemItems: [Int: (title: String, symbol: String)] = [
        0: ("More", "ellipsis"), 1: ("Favorites", "star.fill"), 2: ("Featured", "star.fill"), 3: ("Top Rated", "star.fill"), 4: ("Recents", "clock"),
        5: ("Contacts", "person.crop.circle"), 6: ("History", "clock.arrow.circlepath"), 7: ("Bookmarks", "book"), 8: ("Search", "magnifyingglass"),
        9: ("Downloads", "square.and.arrow.down"), 10: ("Most Recent", "clock"), 11: ("Most Viewed", "list.number"),
    ]
}
