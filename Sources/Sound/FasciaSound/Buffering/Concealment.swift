/// Makes up sound that follows what was played, from its last pitch periods.
final class Concealment {
    /// Made up sound fades to silence in it, after a third at full level; nanoseconds.
    static let length: Int64 = 30_000_000

    private let channels: Int
    private let sampleRate: Int
    /// What was played, made up or not, a ring.
    private let history: UnsafeMutablePointer<Float>
    private let historyFrames: Int
    private var write = 0
    private var known = 0 // frames of history
    private var origin = 0 // where `write` was when the sound was last real
    private var lag = 1
    private var made = 0 // frames made up since

    init(channels: Int, sampleRate: Int) {
        self.channels = channels
        self.sampleRate = sampleRate
        historyFrames = sampleRate / 15
        history = .allocate(capacity: historyFrames * channels)
        history.initialize(repeating: 0, count: historyFrames * channels)
    }

    deinit { history.deallocate() }

    /// Frames until made up sound is silence.
    private var lengthFrames: Int { Int(Int64(sampleRate) * Self.length / 1_000_000_000) }
    /// Nothing is left of what was played, in the resampler either.
    var isSilent: Bool { known == 0 || made >= lengthFrames + sampleRate / 400 }

    /// Frames of real sound went by.
    func played(_ samples: UnsafePointer<Float>, frames: Int) {
        append(samples, frames: frames)
        made = 0
    }

    func forget() { (known, made) = (0, 0) }

    /// Makes up the frames that follow.
    func make(_ output: UnsafeMutablePointer<Float>, frames: Int) {
        guard made > 0 || known > sampleRate / 100 else { return output.update(repeating: 0, count: frames * channels) }
        if made == 0 { begin() }
        let full = lengthFrames / 3
        let seam = sampleRate / 1000
        for frame in 0..<frames {
            let position = made % lag
            var gain: Float = 1
            if made >= lengthFrames { gain = 0 } else if made > full { gain = Float(lengthFrames - made) / Float(lengthFrames - full) }
            for channel in 0..<channels {
                var value = past(lag - position, channel)
                if position < seam { // goes on from where the sound stopped, and again where a period ends: its course mirrored
                    let part = Float(seam - position) / Float(seam)
                    let weight = part * part * (3 - 2 * part)
                    let mirrored = 2 * past(1, channel) - past(position + 2, channel)
                    value += (mirrored - value) * weight
                }
                output[frame * channels + channel] = value * gain
            }
            made += 1
        }
        append(output, frames: frames)
    }

    /// The same, for sound that fades out under what is played next.
    /// - Parameters:
    ///   - ready: frames that `output` begins with already.
    ///   - real: they are not made up.
    func makeTail(_ output: UnsafeMutablePointer<Float>, ready: Int = 0, real: Bool = false, frames: Int) {
        let (writeBefore, knownBefore) = (write, known)
        if real { played(output, frames: ready) }
        make(output + ready * channels, frames: frames - ready)
        (write, known) = (writeBefore, knownBefore)
    }

    private func append(_ samples: UnsafePointer<Float>, frames: Int) {
        for frame in max(0, frames - historyFrames)..<frames {
            for channel in 0..<channels { history[write * channels + channel] = samples[frame * channels + channel] }
            write = write + 1 == historyFrames ? 0 : write + 1
        }
        known = min(known + frames, historyFrames)
    }

    /// The sample `back` frames before the first that was made up.
    private func past(_ back: Int, _ channel: Int) -> Float {
        var frame = origin - back
        if frame < 0 { frame += historyFrames }
        return history[frame * channels + channel]
    }

    /// Finds the period that fits best: 2.5 to 15 ms back, compared over 5 ms.
    private func begin() {
        origin = write
        let compared = sampleRate / 200
        let shortest = sampleRate / 400
        let longest = max(shortest, min(sampleRate * 15 / 1000, known - compared))
        lag = shortest
        var best = -Float.infinity
        for candidate in shortest...longest {
            var (product, energy): (Float, Float) = (0, 1e-9)
            for back in stride(from: 1, through: compared, by: 3) {
                let earlier = past(back + candidate, 0)
                product += past(back, 0) * earlier
                energy += earlier * earlier
            }
            let fit = product / energy.squareRoot()
            if fit > best { (best, lag) = (fit, candidate) }
        }
    }
}
