/// Frames waiting in memory of their own, first in, first out; grows only when more wait than ever before.
final class FrameQueue {
    let channels: Int
    private var storage: UnsafeMutablePointer<Float>
    private var capacity: Int // frames
    private var start = 0

    /// Frames waiting.
    private(set) var count = 0

    init(channels: Int, capacity: Int) {
        self.channels = channels
        self.capacity = capacity
        storage = .allocate(capacity: capacity * channels)
        storage.initialize(repeating: 0, count: capacity * channels)
    }

    deinit { storage.deallocate() }

    /// The first of the waiting samples.
    var front: UnsafeMutablePointer<Float> { storage + start * channels }

    /// Room for `frames` more behind the waiting ones; say with `added` how many were written.
    func reserve(_ frames: Int) -> UnsafeMutablePointer<Float> {
        if start + count + frames > capacity {
            if count + frames <= capacity {
                storage.update(from: front, count: count * channels)
            } else {
                capacity = (count + frames) * 2
                let larger = UnsafeMutablePointer<Float>.allocate(capacity: capacity * channels)
                larger.initialize(repeating: 0, count: capacity * channels)
                larger.update(from: front, count: count * channels)
                storage.deallocate()
                storage = larger
            }
            start = 0
        }
        return storage + (start + count) * channels
    }

    func added(_ frames: Int) { count += frames }

    func remove(_ frames: Int) {
        let removed = min(frames, count)
        count -= removed
        start = count == 0 ? 0 : start + removed
    }

    func removeAll() { (start, count) = (0, 0) }
}
