import FasciaWire

extension TemplateUI {
    /// Fraction of the pad a finger moves for one step of the focus.
    static let strokeStep = 0.14

    // MARK: Devices

    public func knob(_ event: KnobEvent, now: UInt64) {
        ensureModel(now: now)
        switch event.action {
        case .rotate: rotate(by: Int(event.detents), now: now)
        case .press: press(now: now)
        case .nudgeUp: nudge(.up, now: now)
        case .nudgeDown: nudge(.down, now: now)
        case .nudgeLeft: nudge(.left, now: now)
        case .nudgeRight: nudge(.right, now: now)
        case .release, .unspecified, .UNRECOGNIZED: break
        }
    }

    public func touchpad(_ event: TouchpadEvent, now: UInt64) {
        ensureModel(now: now)
        switch event.phase {
        case .began, .ended: stroke = (0, 0)
        case .moved:
            guard event.dx.isFinite, event.dy.isFinite else { return }
            stroke.dx += Double(event.dx)
            stroke.dy += Double(event.dy)
            let step = Self.strokeStep
            // A stroke goes one way: what it strayed aside is forgotten with each step.
            for _ in 0..<8 {
                if abs(stroke.dy) >= step, abs(stroke.dy) >= abs(stroke.dx) {
                    nudge(stroke.dy > 0 ? .down : .up, now: now)
                    stroke = (0, stroke.dy - (stroke.dy > 0 ? step : -step))
                } else if abs(stroke.dx) >= step {
                    nudge(stroke.dx > 0 ? .right : .left, now: now)
                    stroke = (stroke.dx - (stroke.dx > 0 ? step : -step), 0)
                } else { break }
                ensureModel(now: now)
            }
        case .click: press(now: now)
        case .unspecified, .UNRECOGNIZED: break
        }
    }

    // MARK: Focus

    /// What the next press chooses.
    func focusedElement() -> Element? {
        let map = focusMap()
        guard let index = focusIndex(in: map) else { return nil }
        let key = map.stops[index].key
        return model.elements.first { $0.key == key }
    }

    func focusMap() -> FocusMap {
        let state = state(of: topPage)
        return FocusMap(stops: model.elements.filter { $0.focusable && $0.enabled }.map { element in
            var frame = element.frame
            if element.scrolls { frame = state.isPaged ? frame.moved(-state.scroll.offset, 0) : frame.moved(0, -state.scroll.offset) }
            // A new page's focus has to be seen.
            let isSeen = !element.scrolls || state.viewport.map { !frame.intersection($0).isEmpty && frame.maxY <= $0.maxY + 1 } ?? true
            return .init(key: element.key, frame: frame, isDock: element.group == .dock, rank: element.focusRank + (isSeen ? 0 : 1_000))
        })
    }

    private func focusIndex(in map: FocusMap) -> Int? {
        if isDockFocused, let index = map.index(of: dockFocus), map.stops[index].isDock { return index }
        let state = state(of: topPage)
        if let index = map.index(of: state.focus) { return index }
        guard state.focus != nil else { return map.initial }
        // It went: the one now in its place.
        let own = map.stops.indices.filter { !map.stops[$0].isDock }
        return own.isEmpty ? map.initial : own[max(0, min(own.count - 1, state.focusIndex))]
    }

    /// - Returns: false when the ring was hidden: the first touch of a knob only shows where the focus is, so that nothing is
    ///   chosen blindly.
    private func reveal() -> Bool {
        guard !showsRing else { return true }
        showsRing = true
        changed()
        return false
    }

    private func rotate(by detents: Int, now: UInt64) {
        guard detents != 0 else { return }
        let steps = reveal() ? detents : detents - detents.signum()
        let map = focusMap()
        guard let index = focusIndex(in: map) else { return }
        focus(map, steps == 0 ? index : map.rotated(from: index, by: steps), now: now)
    }

    private func nudge(_ direction: FocusMap.Direction, now: UInt64) {
        let moves = reveal()
        let map = focusMap()
        guard let index = focusIndex(in: map) else { return }
        focus(map, moves ? map.neighbour(of: index, direction) ?? index : index, now: now)
    }

    private func press(now: UInt64) {
        guard reveal(), let element = focusedElement() else { return }
        perform(element, now: now)
    }

    private func focus(_ map: FocusMap, _ index: Int, now: UInt64) {
        let stop = map.stops[index]
        isDockFocused = stop.isDock
        if stop.isDock { dockFocus = stop.key } else { remember(stop.key, in: map) }
        if let element = model.elements.first(where: { $0.key == stop.key }), element.scrolls { scrollIntoView(element, now: now) }
        changed()
    }

    func remember(_ key: String, in map: FocusMap) {
        let state = state(of: topPage)
        state.focus = key
        state.focusIndex = map.stops.filter { !$0.isDock }.firstIndex { $0.key == key } ?? 0
    }

    private func scrollIntoView(_ element: Element, now: UInt64) {
        let state = state(of: topPage)
        guard let viewport = state.viewport else { return }
        if state.isPaged {
            let page = ((element.frame.midX - viewport.x) / viewport.width).rounded(.down)
            state.scroll.move(to: page * viewport.width, seconds: 0.25, now: now)
            return
        }
        let top = element.frame.y - viewport.y
        // The first rows bring the header above them along.
        let isFirst = top < viewport.height * 0.5 && top < 90
        state.scroll.reveal(isFirst ? 0 : top, top + element.frame.height, margin: isFirst ? 0 : min(28, viewport.height * 0.15), now: now)
    }
}
