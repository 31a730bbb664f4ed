import FasciaScene
import FasciaWire

/// An animation on a layer that is in the tree. Runs from the moment its layer is first presented.
struct RunningAnimation {
    let animation: SceneLayer.Animation
    /// Nanoseconds of the compositor's clock; nil until first presented.
    var start: UInt64?

    private var duration: UInt64 { UInt64(animation.milliseconds) * 1_000_000 }

    /// Nil once it is over: the layer's plain value holds.
    func value(at now: UInt64) -> Float? {
        guard duration > 0 else { return nil }
        let elapsed = now &- min(start ?? now, now)
        if !animation.repeats, elapsed >= duration { return nil }
        let progress = Float(elapsed % duration) / Float(duration)
        return animation.from + (animation.to - animation.from) * Self.ease(progress, animation.curve)
    }

    /// When the picture changes next; nil when it is over.
    func nextChange(after now: UInt64, frameInterval: UInt64) -> UInt64? {
        guard duration > 0 else { return nil }
        guard let start else { return now }
        let elapsed = now &- min(start, now)
        if !animation.repeats, elapsed >= duration { return nil }
        var next = now + frameInterval
        if animation.curve == .steps12 {
            let cycle = elapsed / duration * duration
            let step = (elapsed - cycle) * 12 / duration + 1
            next = start + cycle + (step * duration + 11) / 12
        }
        return animation.repeats ? next : min(next, start + duration)
    }

    /// The easing of the spec, `progress` 0 to 1.
    static func ease(_ progress: Float, _ curve: Animation.Curve) -> Float {
        switch curve {
        case .easeInOut: progress * progress * (3 - 2 * progress)
        case .easeOut: 1 - (1 - progress) * (1 - progress) * (1 - progress)
        case .steps12: (progress * 12).rounded(.down) / 12
        default: progress
        }
    }
}
