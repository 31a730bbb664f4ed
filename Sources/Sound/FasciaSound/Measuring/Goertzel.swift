import Glibc

/// Strength of one frequency in a sound (Goertzel's algorithm).
public enum Goertzel {
    /// - Parameters:
    ///   - samples: of one channel.
    ///   - frequency: Hz, below half the sample rate.
    /// - Returns: amplitude of the sine of this frequency, full scale 1.
    public static func amplitude(_ samples: some Collection<Float>, frequency: Double, sampleRate: Int) -> Float {
        guard !samples.isEmpty else { return 0 }
        let turn = 2 * Double.pi * frequency / Double(sampleRate)
        let coefficient = 2 * cos(turn)
        var (first, second) = (0.0, 0.0)
        for sample in samples { (first, second) = (Double(sample) + coefficient * first - second, first) }
        let power = first * first + second * second - coefficient * first * second
        return Float(2 * max(0, power).squareRoot() / Double(samples.count))
    }
}
