import FasciaSound

/// Turns sound of any rate and number of channels into stereo at the rate of rendering. Not for several threads at once.
final class StereoConverter {
    /// Frames asked of the source at a time.
    private static let chunk = 512

    let channels: Int
    let sampleRate: Double
    /// The rate will change as it plays: every frame is resampled from the first one on, so that the change has a past to go on from.
    private let isAdjustable: Bool
    private var resampler: Resampler?
    /// Stereo, at the source's rate, that the resampler has yet to take.
    private var waiting = [Float](repeating: 0, count: 2 * StereoConverter.chunk)
    private var waitingStart = 0
    private var waitingCount = 0
    private var raw: [Float]
    private var sourceEnded = false

    init(channels: Int, sampleRate: Double, isAdjustable: Bool = false) {
        self.channels = max(1, channels)
        self.sampleRate = sampleRate
        self.isAdjustable = isAdjustable
        raw = [Float](repeating: 0, count: Self.chunk * max(1, channels))
    }

    /// Frames taken from the source that have not sounded yet.
    var pendingFrames: Int { waitingCount }

    /// After a jump of the source.
    func reset() {
        resampler?.reset()
        (waitingStart, waitingCount, sourceEnded) = (0, 0, false)
    }

    /// Overwrites `output` with up to `frames` stereo frames.
    /// - Parameter source: reads up to so many interleaved frames to the pointer, 0 at its end.
    /// - Returns: frames made; fewer than asked for at the source's end.
    func pull(
        _ frames: Int, to output: UnsafeMutablePointer<Float>, rate: Double, from source: (UnsafeMutablePointer<Float>, Int) -> Int
    ) -> Int {
        let ratio = min(256, max(1.0 / 256, rate / sampleRate))
        if ratio == 1, resampler == nil, !isAdjustable { return copy(frames, to: output, from: source) }
        if resampler == nil { resampler = try? Resampler(channels: 2) }
        guard let resampler else { return 0 }
        var made = 0
        while made < frames {
            if waitingCount == 0, !sourceEnded { fill(from: source) }
            let result = waiting.withUnsafeBufferPointer { input -> (used: Int, made: Int)? in
                guard let base = input.baseAddress else { return nil }
                return try? resampler.process(base + 2 * waitingStart, frames: waitingCount, into: output + 2 * made, room: frames - made, ratio: ratio, last: sourceEnded)
            }
            guard let result else { return made }
            waitingStart += result.used
            waitingCount -= result.used
            made += result.made
            if sourceEnded, result.made == 0 { return made }
        }
        return made
    }

    /// As `pull`, of a source that is empty for now and will have more: nothing is rounded off at its end.
    func pullAvailable(_ frames: Int, to output: UnsafeMutablePointer<Float>, rate: Double, from source: (UnsafeMutablePointer<Float>, Int) -> Int) -> Int {
        let ratio = min(256, max(1.0 / 256, rate / sampleRate))
        defer { sourceEnded = false }
        if ratio == 1 { return copy(frames, to: output, from: source) }
        if resampler == nil { resampler = try? Resampler(channels: 2) }
        guard let resampler else { return 0 }
        var made = 0
        while made < frames {
            if waitingCount == 0 { fill(from: source) }
            if waitingCount == 0 { break }
            let result = waiting.withUnsafeBufferPointer { input -> (used: Int, made: Int)? in
                guard let base = input.baseAddress else { return nil }
                return try? resampler.process(base + 2 * waitingStart, frames: waitingCount, into: output + 2 * made, room: frames - made, ratio: ratio)
            }
            guard let result, result.used > 0 || result.made > 0 else { break }
            waitingStart += result.used
            waitingCount -= result.used
            made += result.made
        }
        return made
    }

    private func copy(_ frames: Int, to output: UnsafeMutablePointer<Float>, from source: (UnsafeMutablePointer<Float>, Int) -> Int) -> Int {
        var made = 0
        while made < frames {
            if waitingCount == 0 { fill(from: source) }
            if waitingCount == 0 { return made }
            let count = min(waitingCount, frames - made)
            waiting.withUnsafeBufferPointer { input in
                guard let base = input.baseAddress else { return }
                (output + 2 * made).update(from: base + 2 * waitingStart, count: 2 * count)
            }
            waitingStart += count
            waitingCount -= count
            made += count
        }
        return made
    }

    /// Takes a chunk of the source as stereo: mono on both sides; of more than two channels, the first two with the others shared in.
    private func fill(from source: (UnsafeMutablePointer<Float>, Int) -> Int) {
        let channels = channels
        let count = raw.withUnsafeMutableBufferPointer { raw -> Int in
            guard let base = raw.baseAddress else { return 0 }
            let count = min(Self.chunk, source(base, Self.chunk))
            for frame in 0..<max(0, count) {
                let from = base + frame * channels
                var (left, right) = (from[0], channels > 1 ? from[1] : from[0])
                if channels > 2 {
                    for extra in 2..<channels { (left, right) = (left + from[extra] * 0.5, right + from[extra] * 0.5) }
                }
                waiting[2 * frame] = left
                waiting[2 * frame + 1] = right
            }
            return max(0, count)
        }
        (waitingStart, waitingCount) = (0, count)
        if count == 0 { sourceEnded = true }
    }
}
