import FasciaScene

/// Where a page is scrolled to, and the motion there, which runs on the head unit as a layer animation. Points and nanoseconds.
struct Scroll: Equatable {
    struct Motion: Equatable {
        var id: UInt32
        var from: Double
        var to: Double
        var start: UInt64
        var duration: UInt64

        var end: UInt64 { start &+ duration }
        /// The easing of the spec (ease out): 1 - (1 - t)^3.
        func position(at now: UInt64) -> Double {
            guard now < end, duration > 0 else { return to }
            let left = 1 - Double(now - min(start, now)) / Double(duration)
            return from + (to - from) * (1 - left * left * left)
        }
    }

    /// Where it rests, or will.
    private(set) var offset = 0.0
    private(set) var motion: Motion?
    private(set) var content = 0.0
    private(set) var viewport = 0.0
    /// Of the last motion: the head unit starts an animation when it sees a new id.
    private var motions: UInt32 = 0
    /// What semantics go by while a finger drags: they follow when it lifts, a drag is not worth a message a frame.
    private(set) var restingOffset = 0.0

    var limit: Double { max(0, content - viewport) }

    func position(at now: UInt64) -> Double { motion?.position(at: now) ?? offset }

    /// Everything seen until the motion ends.
    func span(at now: UInt64) -> ClosedRange<Double> {
        guard let motion, now < motion.end else { return offset...offset }
        return min(motion.from, motion.to)...max(motion.from, motion.to)
    }

    mutating func setExtent(content: Double, viewport: Double) {
        self.content = content
        self.viewport = viewport
        if offset > limit {
            offset = limit
            restingOffset = limit
            motion = nil
        }
    }

    mutating func drag(to target: Double) {
        offset = max(0, min(limit, target))
        motion = nil
    }

    mutating func rest() { restingOffset = offset }

    /// Goes on with the finger's speed (points a second) and slows down.
    mutating func fling(_ velocity: Double, now: UInt64) {
        let full = 0.9
        let target = max(0, min(limit, offset + velocity * full / 3))
        let distance = target - offset
        guard abs(velocity) > 40, abs(distance) > 1 else { return rest() }
        // Ease out starts at three times the mean speed: this duration continues the finger's.
        move(to: target, seconds: max(0.12, min(full, 3 * distance / velocity)), now: now)
    }

    mutating func move(to target: Double, seconds: Double, now: UInt64) {
        let target = max(0, min(limit, target)), from = position(at: now)
        guard abs(target - from) > 0.25 else { offset = target; motion = nil; return rest() }
        offset = target
        restingOffset = target
        guard abs(target - from) < viewport * 6, seconds > 0 else { motion = nil; return }
        motions &+= 1
        motion = Motion(id: motions, from: from, to: target, start: now, duration: UInt64(seconds * 1e9))
    }

    /// Brings `top...bottom` of the content into view with some of its neighbours.
    mutating func reveal(_ top: Double, _ bottom: Double, margin: Double, now: UInt64) {
        let upper = top - margin, lower = bottom + margin
        if upper < offset { move(to: upper, seconds: 0.2, now: now) } else if lower > offset + viewport { move(to: min(upper, lower - viewport), seconds: 0.2, now: now) }
    }

    mutating func stop(now: UInt64) {
        offset = position(at: now)
        motion = nil
        rest()
    }

    mutating func expire(now: UInt64) -> Bool {
        guard let end = motion?.end, now >= end else { return false }
        motion = nil
        return true
    }

    func animation(scale: Double, horizontal: Bool = false) -> [SceneLayer.Animation] {
        guard let motion else { return [] }
        return [.init(id: motion.id, property: horizontal ? .scrollX : .scrollY, from: Float((motion.from * scale).rounded()), to: Float((motion.to * scale).rounded()),
                      milliseconds: UInt32(motion.duration / 1_000_000), curve: .easeOut)]
    }
}

/// What is remembered of a page while it is on a stack.
final class PageState {
    var scroll = Scroll()
    /// Key of the focused element, and its place in the order should it go.
    var focus: String?
    var focusIndex = 0
    /// In screen points: where the scrolling part is, nil when nothing scrolls.
    var viewport: Rect?
    /// Scrolls by whole pages from side to side, as the home screen does.
    var isPaged = false
}
