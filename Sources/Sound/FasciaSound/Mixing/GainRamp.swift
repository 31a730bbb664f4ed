/// A factor that moves linearly, so that no change clicks.
struct GainRamp {
    private(set) var value: Float
    private(set) var target: Float
    private var step: Float = 0
    private var remaining = 0

    init(_ value: Float) { (self.value, target) = (value, value) }

    mutating func move(to new: Float, frames: Int) {
        guard new != target else { return }
        target = new
        remaining = max(1, frames)
        step = (new - value) / Float(remaining)
    }

    mutating func advance(_ frames: Int) -> (from: Float, to: Float) {
        let from = value
        if remaining > 0 {
            let moved = min(frames, remaining)
            remaining -= moved
            value = remaining == 0 ? target : value + step * Float(moved)
        }
        return (from, value)
    }

    var isMoving: Bool { remaining > 0 }
}
