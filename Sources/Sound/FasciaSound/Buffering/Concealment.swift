/// Makes up sound that follows what was played, from its last pitch periods, and hides where two sounds meet.
final class Concealment {
    /// Made up sound fades to silence in it, after a third at full level; nanoseconds.
    static let length: Int64 = 30_000_000

    private let channels: Int
    private let sampleRate: Int
    private let history: UnsafeMutablePointer<Float>
    private let historyFrames: Int
    private var write = 0
    private var known = 0 // frames of history that are real
    private var lag = 0
    private var made = 0 // frames made up since the last real one
    private var step: (Float, Float) = (0, 0)

    init(channels: Int, sampleRate: Int) {
        self.channels = channels
        self.sampleRate = sampleRate
        historyFrames = sampleRate / 25 // 40 ms
        history = .allocate(capacity: historyFrames * channels)
        history.initialize(repeating: 0, count: historyFrames * channels)
    }

    deinit { history.deallocate() }

    /// Frames until made up sound is silence.
    var lengthFrames: Int { Int(Int64(sampleRate) * Self.length / 1_000_000_000) }
    /// Nothing is left of what was played.
    var isSilent: Bool { known == 0 || made >= lengthFrames }

    /// Frames of real sound went by.
    func played(_ samples: UnsafePointer<Float>, frames: Int) {
        let skipped = max(0, frames - historyFrames)
        for frame in skipped..<frames {
            for channel in 0..<channels { history[write * channels + channel] = samples[frame * channels + channel] }
            write = write + 1 == historyFrames ? 0 : write + 1
        }
        known = min(known + frames, historyFrames)
        made = 0
    }

    func forget() { (known, made) = (0, 0) }

    /// Makes up the frames that follow.
    func make(_ output: UnsafeMutablePointer<Float>, frames: Int) {
        guard known > sampleRate / 100 else { return output.update(repeating: 0, count: frames * channels) }
        if made == 0 { begin() }
        let full = lengthFrames / 3
        let smooth = sampleRate / 400 // 2.5 ms
        for frame in 0..<frames {
            let position = made % lag
            var gain: Float = 1
            if made >= lengthFrames { gain = 0 } else if made > full { gain = Float(lengthFrames - made) / Float(lengthFrames - full) }
            let correction: Float = position < smooth ? Float(smooth - position) / Float(smooth) : 0
            for channel in 0..<channels {
                let value = past(lag - position, channel) + (channel == 0 ? step.0 : step.1) * correction
                output[frame * channels + channel] = value * gain
            }
            made += 1
        }
    }

    /// The sample `back` frames before the next.
    private func past(_ back: Int, _ channel: Int) -> Float {
        var frame = write - back
        if frame < 0 { frame += historyFrames }
        return history[frame * channels + channel]
    }

    /// Finds the period that fits best: 2.5 to 15 ms back, compared over 5 ms.
    private func begin() {
        let shortest = sampleRate / 400
        let longest = min(sampleRate * 15 / 1000, known - sampleRate / 200)
        let compared = sampleRate / 200
        lag = shortest
        var best = -Float.infinity
        for candidate in stride(from: shortest, through: max(shortest, longest), by: 1) {
            var (product, energy): (Float, Float) = (0, 1e-9)
            for back in stride(from: 1, through: compared, by: 3) {
                let earlier = past(back + candidate, 0)
                product += past(back, 0) * earlier
                energy += earlier * earlier
            }
            let fit = product / energy.squareRoot()
            if fit > best { (best, lag) = (fit, candidate) }
        }
        // What is repeated begins where the sound stopped, and again where it began.
        func jump(_ channel: Int) -> Float { past(1, channel) - past(lag + 1, channel) }
        step = (jump(0), channels > 1 ? jump(1) : 0)
    }
}
