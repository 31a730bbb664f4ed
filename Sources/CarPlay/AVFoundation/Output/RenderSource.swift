/// The moment a block of sound is made for.
package struct RenderClock: Sendable {
    /// Of the first frame, nanoseconds of the monotonic clock.
    package var hostTime: UInt64
    /// Frames rendered before this block.
    package var sampleTime: Int64
    /// Frames a second.
    package var sampleRate: Double

    package init(hostTime: UInt64, sampleTime: Int64, sampleRate: Double) {
        self.hostTime = hostTime
        self.sampleTime = sampleTime
        self.sampleRate = sampleRate
    }
}

/// Something that sounds: a player, an engine, a voice.
package protocol RenderSource: AnyObject, Sendable {
    /// Adds `frames` frames of interleaved stereo to `output`; called on the render thread, so it must not wait.
    /// - Returns: false when nothing follows: it is then forgotten.
    func render(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) -> Bool
}
