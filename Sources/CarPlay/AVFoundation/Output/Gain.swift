/// Volume and balance of something that sounds, changed without clicks: over a block, or over the time asked for.
struct Gain {
    private(set) var volume: Float = 1
    var pan: Float = 0 {
        didSet { pan = pan.isFinite ? max(-1, min(1, pan)) : 0 }
    }
    private var current: (left: Float, right: Float)?
    private var fade: (from: Float, to: Float, done: Int, frames: Int)?
    /// Where a fade asked for in seconds waits for the rate of rendering.
    private var wanted: (to: Float, seconds: Double)?

    /// What was asked for last, also while it fades.
    var target: Float { wanted?.to ?? fade?.to ?? volume }

    mutating func set(_ value: Float, over seconds: Double = 0) {
        let value = value.isFinite ? max(0, min(1, value)) : 0
        guard seconds > 0, seconds.isFinite else {
            (volume, fade, wanted) = (value, nil, nil)
            return
        }
        wanted = (value, min(seconds, 3_600))
    }

    /// The next block starts at full volume: nothing sounded before.
    mutating func begin() { current = nil }

    /// Adds `frames` stereo frames of `input` to `output`. `scale` 0 fades out within the block.
    /// - Returns: the squares' sum and the peak by side, as they sounded.
    @discardableResult
    mutating func mix(_ input: UnsafePointer<Float>, frames: Int, to output: UnsafeMutablePointer<Float>, rate: Double, scale: Float = 1) -> Levels {
        if let wanted {
            fade = (volume, wanted.to, 0, max(1, Int(wanted.seconds * rate)))
            self.wanted = nil
        }
        if var fade {
            fade.done += frames
            volume = fade.done >= fade.frames ? fade.to : fade.from + (fade.to - fade.from) * Float(fade.done) / Float(fade.frames)
            self.fade = fade.done >= fade.frames ? nil : fade
        }
        let target = (left: scale * volume * min(1, 1 - pan), right: scale * volume * min(1, 1 + pan))
        let from = current ?? target
        let step = (left: (target.left - from.left) / Float(max(1, frames)), right: (target.right - from.right) / Float(max(1, frames)))
        var (left, right) = (from.left, from.right), levels = Levels()
        for frame in 0..<frames {
            left += step.left
            right += step.right
            let (a, b) = (input[2 * frame] * left, input[2 * frame + 1] * right)
            output[2 * frame] += a
            output[2 * frame + 1] += b
            levels.add(a, b)
        }
        current = target
        return levels
    }
}

/// How loud a block was, by side.
struct Levels {
    var power: (Float, Float) = (0, 0)
    var peak: (Float, Float) = (0, 0)
    var frames = 0

    @inline(__always)
    mutating func add(_ left: Float, _ right: Float) {
        power.0 += left * left
        power.1 += right * right
        peak.0 = max(peak.0, abs(left))
        peak.1 = max(peak.1, abs(right))
        frames += 1
    }

    func average(_ channel: Int) -> Float { PCM.decibels((frames == 0 ? 0 : (channel == 0 ? power.0 : power.1) / Float(frames)).squareRoot()) }
    func peak(_ channel: Int) -> Float { PCM.decibels(channel == 0 ? peak.0 : peak.1) }
}
