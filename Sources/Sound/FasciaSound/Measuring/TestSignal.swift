import Glibc

/// Sounds that tests, figures and the car's own programme are made of.
public struct TestSignal: Sendable {
    public enum Shape: Sendable {
        /// Hz.
        case sine(Double)
        /// From one frequency to another, Hz, in so many seconds, over and over; the course is exponential.
        case sweep(Double, Double, seconds: Double)
        /// The same for the same seed.
        case noise(seed: UInt64)
        case silence
    }

    public let shape: Shape
    public let sampleRate: Int
    public let amplitude: Float
    private var phase = 0.0
    private var elapsed = 0
    private var random: UInt64

    /// - Parameter amplitude: full scale 1.
    public init(_ shape: Shape, sampleRate: Int = 48_000, amplitude: Float = 0.5) {
        self.shape = shape
        self.sampleRate = sampleRate
        self.amplitude = amplitude
        if case .noise(let seed) = shape { random = seed | 1 } else { random = 1 }
    }

    /// The next frames, the same in each channel.
    public mutating func render(_ output: UnsafeMutablePointer<Float>, frames: Int, channels: Int) {
        for frame in 0..<frames {
            let sample = next()
            for channel in 0..<channels { output[frame * channels + channel] = sample }
        }
    }

    /// The same, as an array.
    public mutating func render(frames: Int, channels: Int = 1) -> [Float] {
        [Float](unsafeUninitializedCapacity: frames * channels) { output, count in
            count = frames * channels
            if let first = output.baseAddress { render(first, frames: frames, channels: channels) }
        }
    }

    private mutating func next() -> Float {
        switch shape {
        case .silence: return 0
        case .noise:
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return (Float(random >> 40) / Float(1 << 23) - 1) * amplitude
        case .sine(let frequency):
            return turn(frequency)
        case .sweep(let from, let to, let seconds):
            let position = (Double(elapsed) / Double(sampleRate)).truncatingRemainder(dividingBy: seconds) / seconds
            elapsed += 1
            return turn(from * pow(to / from, position))
        }
    }

    private mutating func turn(_ frequency: Double) -> Float {
        defer { phase = (phase + frequency / Double(sampleRate)).truncatingRemainder(dividingBy: 1) }
        return Float(sin(2 * Double.pi * phase)) * amplitude
    }
}
