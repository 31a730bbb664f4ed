import Glibc

/// A level that moves linearly in dB, counted in frames.
struct DecibelRamp {
    /// dB; -100 is silence.
    private(set) var level: Float
    private(set) var target: Float
    private var step: Float = 0 // dB a frame
    private var remaining = 0

    init(_ level: Float = 0) { (self.level, target) = (level, level) }

    /// - Parameter frames: until it is there.
    mutating func move(to new: Float, frames: Int) {
        guard new != target || remaining == 0 && level != new else { return }
        target = new
        remaining = max(0, frames)
        if remaining == 0 { level = new } else { step = (new - level) / Float(remaining) }
    }

    /// Goes on, and gives the factors for the first frame and after the last.
    mutating func advance(_ frames: Int) -> (from: Float, to: Float) {
        let from = Self.factor(level)
        if remaining > 0 {
            let moved = min(frames, remaining)
            remaining -= moved
            level = remaining == 0 ? target : level + step * Float(moved)
        }
        return (from, Self.factor(level))
    }

    var isMoving: Bool { remaining > 0 }

    static func factor(_ decibels: Float) -> Float { decibels <= -100 ? 0 : decibels == 0 ? 1 : pow(10, decibels / 20) }
}
