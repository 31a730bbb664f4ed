/// Where a stream of the mixer's gets its sound, and what is done to it before the routes are mixed.
final class MixerInput {
    enum Source {
        case stream(StreamKey, JitterBuffer)
        case local(String, any LocalSound)
    }

    let source: Source
    /// Volume and mute it follows; nil: only the mix's.
    let route: AudioRoute?
    let label: String
    /// Follows the ducks of others.
    let ducked: Bool
    var gainDecibels: Float
    var gain: GainRamp
    var duck: DecibelRamp
    /// Fading in or out.
    var fade = GainRamp(1)
    /// What it does to others while it sounds.
    var wantedDuck: Duck?
    var mayDuck = true
    /// Frames without a first packet.
    var waited = 0
    var ending = false
    /// Fading out for good.
    var leaving = false
    /// When its next frame is heard, less the sender's time of it, nanoseconds.
    var lag: Int64?

    init(source: Source, route: AudioRoute?, label: String, ducked: Bool, gain: Float, duckLevel: Float) {
        self.source = source
        self.route = route
        self.label = label
        self.ducked = ducked
        gainDecibels = gain
        self.gain = GainRamp(DecibelRamp.factor(gain))
        duck = DecibelRamp(ducked ? duckLevel : 0)
    }

    /// Writes `frames` stereo frames before gain and duck.
    /// - Returns: whether it goes on, and whether there is anything to hear.
    func render(_ output: UnsafeMutablePointer<Float>, frames: Int, now: UInt64) -> (goesOn: Bool, sounds: Bool) {
        switch source {
        case .local(_, let sound):
            return (sound.render(output, frames: frames), true)
        case .stream(_, let buffer):
            lag = buffer.senderTime.map { Int64(clamping: now) &- Int64(clamping: $0) }
            let sounds = buffer.pull(output, frames: frames, now: now)
            if buffer.format.channels == 1 {
                for frame in stride(from: frames - 1, through: 0, by: -1) {
                    let sample = output[frame]
                    output[frame * 2] = sample
                    output[frame * 2 + 1] = sample
                }
            }
            return (!buffer.isDrained, sounds)
        }
    }

    /// Gain, duck and fade of this block.
    func advance(_ frames: Int) -> (from: Float, to: Float) {
        let (gain, duck, fade) = (gain.advance(frames), duck.advance(frames), fade.advance(frames))
        return (gain.from * duck.from * fade.from, gain.to * duck.to * fade.to)
    }
}
