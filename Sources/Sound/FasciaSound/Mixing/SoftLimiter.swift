import Glibc

/// Keeps the mix below full scale. Up to -2 dB nothing changes; above, the gain falls smoothly with the envelope, which rises at once and
/// falls within some 60 ms, so that loud passages are turned down rather than bent.
struct SoftLimiter {
    /// Full scale is never reached.
    static let ceiling: Float = 0.999
    private static let knee: Float = 0.794

    private var envelope: Float = 0
    private let release: Float

    init(sampleRate: Int) { release = exp(-1 / (0.02 * Float(sampleRate))) }

    /// - Parameter samples: stereo, in place.
    mutating func apply(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        var peak: Float = 0
        for index in 0..<frames * 2 { peak = max(peak, abs(samples[index])) }
        guard peak.isFinite else { return samples.update(repeating: 0, count: frames * 2) }
        if peak <= Self.knee, envelope <= Self.knee { return envelope = 0 }
        for frame in 0..<frames {
            envelope = max(abs(samples[frame * 2]), abs(samples[frame * 2 + 1]), envelope * release)
            guard envelope > Self.knee else { continue }
            let room = Self.ceiling - Self.knee
            let gain = (Self.knee + room * tanh((envelope - Self.knee) / room)) / envelope
            samples[frame * 2] *= gain
            samples[frame * 2 + 1] *= gain
        }
    }
}
