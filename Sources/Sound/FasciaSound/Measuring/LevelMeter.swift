import Glibc

/// RMS level of sound as it goes by, a value each 100 ms.
public struct LevelMeter: Sendable {
    /// Below it is silence, dB.
    public static let silence: Float = -120

    /// dB of full scale (a full-scale sine is -3), oldest first.
    public private(set) var levels: [Float] = []
    private let window: Int // samples
    private var sum = 0.0
    private var count = 0

    /// - Parameter milliseconds: of one value.
    public init(sampleRate: Int, channels: Int, milliseconds: Int = 100) {
        window = max(1, sampleRate * max(1, channels) * milliseconds / 1000)
    }

    public mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples {
            sum += Double(sample * sample)
            count += 1
            guard count == window else { continue }
            levels.append(Self.decibels(sum / Double(window)))
            (sum, count) = (0, 0)
        }
    }

    public mutating func add(_ samples: [Float]) { samples.withUnsafeBufferPointer { add($0) } }

    /// Of the values since the last call.
    public mutating func take() -> [Float] {
        defer { levels.removeAll() }
        return levels
    }

    /// Of everything at once.
    public static func level(_ samples: some Collection<Float>) -> Float {
        samples.isEmpty ? silence : decibels(samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(samples.count))
    }

    private static func decibels(_ power: Double) -> Float { max(silence, Float(10 * log10(max(power, 1e-12)))) }
}
