import FasciaWire

/// The first finger, from touching to lifting. Points.
struct TouchTracker {
    var contact: UInt32
    var start: (x: Double, y: Double)
    /// Element under the finger at the start.
    var key: String?
    /// Offset of the page when the drag began; nil when the finger is not on something that scrolls.
    var startOffset: Double?
    var isDragging = false
    /// The finger stopped a moving page: lifting it chooses nothing.
    var isCatch = false
    /// Position along the scroll axis and the finger's own time, the latest few.
    var samples: [(time: UInt64, position: Double)] = []

    /// Movement before a touch is a drag.
    static let slop = 8.0

    /// Points a second over the last tenth of a second.
    func velocity(at end: UInt64) -> Double {
        guard let last = samples.last, let first = samples.first(where: { last.time &- $0.time <= 100_000_000 }), last.time > first.time, end &- last.time < 80_000_000 else { return 0 }
        return (last.position - first.position) / (Double(last.time - first.time) / 1e9)
    }
}

extension TemplateUI {
    public func touch(_ event: TouchEvent, now: UInt64) {
        guard event.x.isFinite, event.y.isFinite else { return }
        let x = Double(event.x) / metrics.scale, y = Double(event.y) / metrics.scale
        switch event.phase {
        case .began: if touch == nil { touchBegan(event, x, y, now: now) }
        case .moved: if touch?.contact == event.contact { touchMoved(event, x, y, now: now) }
        case .ended: if touch?.contact == event.contact { touchEnded(event, x, y, now: now) }
        case .cancelled: if touch?.contact == event.contact { touchCancelled(now: now) }
        case .unspecified, .UNRECOGNIZED: break
        }
    }

    private func touchBegan(_ event: TouchEvent, _ x: Double, _ y: Double, now: UInt64) {
        ensureModel(now: now)
        if showsRing, traits.inputs.contains(.touch) || traits.inputs.isEmpty {
            showsRing = false
            changed()
        }
        var tracker = TouchTracker(contact: event.contact, start: (x, y))
        let state = state(of: topPage)
        if let viewport = state.viewport, viewport.contains(x, y), state.scroll.limit > 0 {
            if let motion = state.scroll.motion, now < motion.end {
                state.scroll.stop(now: now)
                tracker.isCatch = true
                changed()
            }
            tracker.startOffset = state.scroll.offset
            tracker.samples = [(event.timeNs, state.isPaged ? x : y)]
        }
        if !tracker.isCatch, let element = hit(x, y) {
            tracker.key = element.key
            pressed = element.key
            changed()
        }
        touch = tracker
    }

    private func touchMoved(_ event: TouchEvent, _ x: Double, _ y: Double, now: UInt64) {
        guard var tracker = touch else { return }
        let state = state(of: topPage)
        let along = state.isPaged ? x - tracker.start.x : y - tracker.start.y
        if let offset = tracker.startOffset {
            if !tracker.isDragging, abs(along) > TouchTracker.slop {
                tracker.isDragging = true
                pressed = nil
            }
            if tracker.isDragging {
                tracker.samples.append((event.timeNs, state.isPaged ? x : y))
                if tracker.samples.count > 24 { tracker.samples.removeFirst(12) }
                state.scroll.drag(to: offset - along)
                changed()
            }
        }
        if !tracker.isDragging, let key = tracker.key, pressed != nil, hit(x, y)?.key != key {
            pressed = nil
            tracker.key = nil
            changed()
        }
        touch = tracker
    }

    private func touchEnded(_ event: TouchEvent, _ x: Double, _ y: Double, now: UInt64) {
        guard let tracker = touch else { return }
        touch = nil
        pressed = nil
        changed()
        let state = state(of: topPage)
        if tracker.isDragging {
            let velocity = -tracker.velocity(at: event.timeNs)
            if state.isPaged { settlePage(state, velocity: velocity, from: tracker.startOffset ?? 0, now: now) } else { state.scroll.fling(velocity, now: now) }
            return
        }
        if tracker.isCatch { return state.scroll.rest() }
        ensureModel(now: now)
        guard let key = tracker.key, let element = hit(x, y), element.key == key, element.enabled else { return }
        if element.group == .main, element.focusable { remember(element.key, in: focusMap()) }
        isDockFocused = false
        perform(element, now: now)
    }

    /// The input devices are gone in the middle of whatever was going on: nothing of it counts.
    public func inputLost(now: UInt64) {
        if touch != nil { touchCancelled(now: now) }
        guard pressed != nil else { return }
        pressed = nil
        changed()
    }

    private func touchCancelled(now: UInt64) {
        touch = nil
        pressed = nil
        let state = state(of: topPage)
        if state.isPaged { settlePage(state, velocity: 0, from: state.scroll.offset, now: now) } else { state.scroll.rest() }
        changed()
    }

    private func settlePage(_ state: PageState, velocity: Double, from start: Double, now: UInt64) {
        let width = max(1, state.scroll.viewport), home = (start / width).rounded()
        var page = (state.scroll.offset / width).rounded()
        if abs(velocity) > 150 { page = home + (velocity > 0 ? 1 : -1) }
        state.scroll.move(to: max(home - 1, min(home + 1, page)) * width, seconds: 0.28, now: now)
    }

    /// The topmost element at a point of the screen.
    func hit(_ x: Double, _ y: Double) -> Element? {
        let state = state(of: topPage)
        return model.elements.last { element in
            guard element.action != .none, element.role != .alert else { return false }
            guard element.scrolls else { return element.frame.contains(x, y) }
            guard let viewport = state.viewport, viewport.contains(x, y) else { return false }
            let frame = state.isPaged ? element.frame.moved(-state.scroll.offset, 0) : element.frame.moved(0, -state.scroll.offset)
            return frame.contains(x, y)
        }
    }
}
