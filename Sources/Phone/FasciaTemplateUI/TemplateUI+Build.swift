import FasciaAppLink
import FasciaPaint
import FasciaScene
import FasciaWire

extension TemplateUI {
    /// Makes the model: layers, elements, meaning.
    func build(now: UInt64) {
        pictures.beginFrame()
        let palette = traits.night ? Palette.dark : Palette.light
        let canvas = Canvas(painter: painter, palette: palette, scale: metrics.scale, identifiers: identifiers)
        canvas.layer("ground", metrics.screen, in: canvas.screen, z: 0, content: .gradient(top: palette.groundTop, bottom: palette.groundBottom))
        let stage = canvas.layer("stage", metrics.stage, in: canvas.screen, z: 1) { $0.clip = true }
        if let transition, transition.from != page {
            canvas.isInteractive = false
            draw(transition.from, on: canvas, in: stage, now: now) { transition.applyOutgoing(to: &$0) }
        }
        let modal = modalPage
        canvas.isInteractive = modal == nil
        draw(page, on: canvas, in: stage, now: now) { if let transition = self.transition { transition.applyIncoming(to: &$0) } }
        canvas.isInteractive = true
        if let modal {
            draw(modal, on: canvas, in: stage, now: now) {
                $0.order = 5
                $0.animations = [.init(id: 1, property: .transparency, from: 1, to: 0, milliseconds: 160, curve: .easeOut)]
            }
        }
        SystemContext(canvas: canvas, metrics: metrics, pictures: pictures, applications: applications).dock(
            .init(clock: traits.clock, recent: recent.compactMap { id in applications.first { $0.id == id } }, current: frontSession?.id, isHome: screen == .home))
        finish(canvas, now: now)
    }

    private func draw(_ key: PageKey, on canvas: Canvas, in stage: Canvas.Place, now: UInt64, adjust: (inout SceneLayer) -> Void) {
        let bounds = Rect(0, 0, metrics.stage.width, metrics.stage.height)
        if canvas.isInteractive { state(of: key).viewport = nil }
        let place = canvas.layer("page:\(key.name)", bounds, in: stage, adjust: adjust)
        let system = SystemContext(canvas: canvas, metrics: metrics, pictures: pictures, applications: applications)
        switch key {
        case .home: system.home(in: place, bounds: bounds, state: state(of: key), showsNowPlaying: nowPlayingApp != nil)
        case .launching(let id): system.launching(applications.first { $0.id == id } ?? HomeApplication(id: id, name: sessions[id]?.name ?? id), in: place, bounds: bounds)
        case .notice:
            guard let notice else { return }
            let context = context(session(notice.application.id), key, place, bounds, canvas, now)
            context.card(ModalContent(icon: Icon(symbolName: "exclamationmark.triangle"), title: "\(notice.application.name) stopped",
                                      message: notice.reason ?? "The app ended unexpectedly. Open it again from the home screen.",
                                      choices: [.init(title: "OK", look: .prominent, action: .closeNotice)]), in: bounds)
        case .template(let app, let id), .modal(let app, let id):
            guard let session = sessions[app], let template = session.templates[id] else { return }
            draw(template, context(session, key, place, bounds, canvas, now))
        }
    }

    private func context(_ session: AppSession, _ key: PageKey, _ place: Canvas.Place, _ bounds: Rect, _ canvas: Canvas, _ now: UInt64) -> PageContext {
        PageContext(canvas: canvas, metrics: metrics, place: place, bounds: bounds, app: session, state: state(of: key), pictures: pictures, dark: traits.night,
                    limitedUI: traits.limitedUI, now: now, offersNowPlaying: nowPlayingApp == session.id && session.nowPlaying?.present == true)
    }

    private func draw(_ template: AppTemplate, _ context: PageContext) {
        let stack = context.app.stack, isRoot = stack.path.first == template.id
        let tabs = stack.tabBar.flatMap { context.app.templates[$0] }
        func top(_ title: String) -> Rect {
            if isRoot, let tabs { return context.tabBar(tabs, selected: template.id) }
            return context.navigationBar(template, title: title, canGoBack: !isRoot)
        }
        switch template.kind {
        case .list(let list): context.list(template, in: top(list.title))
        case .grid(let grid): context.grid(template, in: top(grid.title))
        case .information(let information): context.information(template, in: top(information.title))
        case .nowPlaying: drawNowPlaying(template, context, isRoot: isRoot)
        case .alert, .actionSheet: context.modal(template, in: context.bounds)
        case .tabBar, nil: context.unsupported(in: top(""))
        }
    }

    private func drawNowPlaying(_ template: AppTemplate, _ context: PageContext, isRoot: Bool) {
        var upNext: AppBarButton?
        if template.nowPlaying.upNextEnabled {
            var button = AppBarButton()
            button.title = template.nowPlaying.upNextTitle.isEmpty ? "Up Next" : template.nowPlaying.upNextTitle
            button.enabled = true
            upNext = button
        }
        let plain = PageContext(canvas: context.canvas, metrics: context.metrics, place: context.place, bounds: context.bounds, app: context.app, state: context.state, pictures: context.pictures,
                                dark: context.dark, limitedUI: context.limitedUI, now: context.now, offersNowPlaying: false)
        var bare = template
        bare.leadingButtons = []
        bare.trailingButtons = []
        let title = context.metrics.stage.width >= 420 ? "Now Playing" : ""
        plain.nowPlaying(template, in: plain.navigationBar(bare, title: title, canGoBack: !isRoot, extra: upNext, extraAction: .upNext))
    }

    private func finish(_ canvas: Canvas, now: UInt64) {
        model.elements = canvas.elements
        let focused = focusedElement()
        if let pressed, let element = model.elements.first(where: { $0.key == pressed }), element.enabled, element.action != .none, element.layer != 0 {
            canvas.highlight(element, pressed: true, ring: false)
        } else if showsRing, let focused, focused.layer != 0 { canvas.highlight(focused, pressed: false, ring: true) }
        var frame = SceneFrame(background: canvas.palette.groundBottom, layers: canvas.layers)
        frame.semantics = semantics(model.elements, focused: showsRing ? focused?.key : nil)
        model.frame = frame
        identifiers.endFrame()
    }

    private func semantics(_ elements: [Element], focused: String?) -> [SemanticNode] {
        var nodes: [SemanticNode] = []
        nodes.reserveCapacity(elements.count + 1)
        let root = identifiers.id("s:screen"), top = state(of: topPage), scale = Float(metrics.scale)
        var screenNode = SemanticNode()
        screenNode.id = root
        screenNode.role = .screen
        screenNode.label = screenName
        screenNode.width = Float(traits.width)
        screenNode.height = Float(traits.height)
        screenNode.enabled = true
        screenNode.visible = true
        screenNode.identifier = "screen"
        nodes.append(screenNode)
        for (order, element) in elements.enumerated() {
            var frame = element.frame, window = metrics.screen
            if element.scrolls, let viewport = top.viewport {
                frame = top.isPaged ? frame.moved(-top.scroll.restingOffset, 0) : frame.moved(0, -top.scroll.restingOffset)
                window = viewport
            }
            var node = SemanticNode()
            node.id = identifiers.id("s:" + element.key)
            node.parent = root
            node.order = Int32(order)
            node.role = element.role
            node.label = element.label
            node.value = element.value
            node.x = Float(frame.x) * scale
            node.y = Float(frame.y) * scale
            node.width = Float(frame.width) * scale
            node.height = Float(frame.height) * scale
            node.enabled = element.enabled
            node.focused = element.key == focused
            node.selected = element.selected
            node.busy = element.busy
            let shown = frame.intersection(window)
            // A sliver at the edge cannot be touched with certainty.
            node.visible = !shown.isEmpty && shown.height >= min(frame.height, 8) && shown.width >= min(frame.width, 8)
            node.identifier = element.identifier
            nodes.append(node)
        }
        return nodes
    }

    private var screenName: String {
        switch page {
        case .home: "Home"
        case .launching(let app), .template(let app, _), .modal(let app, _): sessions[app]?.name ?? app
        case .notice: "Home"
        }
    }
}

extension PageContext {
    /// A template of a kind this phone does not draw.
    func unsupported(in rect: Rect) {
        canvas.icon("unsupported.icon", Icon(symbolName: "questionmark.circle"), 40, palette.quiet, centerX: rect.midX, centerY: rect.midY - 34, in: place)
        canvas.text("unsupported", "This screen cannot be shown here", .title, palette.text, x: rect.x + 16, baseline: rect.midY + 10, width: rect.width - 32, align: .center, in: place)
        canvas.text("unsupported.detail", "\(app.name) uses a template this phone does not draw", .body, palette.secondary, x: rect.x + 16, baseline: rect.midY + 34, width: rect.width - 32,
                    align: .center, lines: 2, in: place)
        canvas.element(key("unsupported"), Rect(rect.x + 16, rect.midY - 60, rect.width - 32, 120), in: place) {
            $0.role = .text
            $0.focusable = false
            $0.label = "This screen cannot be shown here"
            $0.identifier = "unsupported"
        }
    }
}
