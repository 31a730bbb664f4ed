/// The end of one sound under the beginning of the next, so that the seam does not click.
final class Crossfade {
    private let channels: Int
    private let length: Int
    private let tail: UnsafeMutablePointer<Float>
    private var position: Int

    /// - Parameter frames: length of the fade.
    init(channels: Int, frames: Int) {
        self.channels = channels
        length = frames
        position = frames
        tail = .allocate(capacity: frames * channels)
        tail.initialize(repeating: 0, count: frames * channels)
    }

    deinit { tail.deallocate() }

    /// - Parameter fill: writes so many frames of the sound that would have followed.
    func begin(_ fill: (UnsafeMutablePointer<Float>, Int) -> Void) {
        fill(tail, length)
        position = 0
    }

    /// Fades into the samples of the new sound.
    func apply(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        guard position < length else { return }
        for frame in 0..<min(frames, length - position) {
            let new = Float(position) / Float(length)
            for channel in 0..<channels {
                let index = frame * channels + channel
                samples[index] = samples[index] * new + tail[position * channels + channel] * (1 - new)
            }
            position += 1
        }
    }

    func cancel() { position = length }
}
