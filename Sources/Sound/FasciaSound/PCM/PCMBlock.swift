/// Some sound in memory.
public struct PCMBlock: Equatable, Sendable {
    /// Frame by frame, full scale 1; `frames * channels` of them.
    public var samples: [Float]
    public var channels: Int
    /// Frames a second.
    public var sampleRate: Int

    /// - Parameter channels: at least 1.
    public init(samples: [Float], channels: Int, sampleRate: Int) {
        self.samples = samples
        self.channels = max(1, channels)
        self.sampleRate = sampleRate
    }

    public var frames: Int { samples.count / channels }
    /// Seconds.
    public var duration: Double { Double(frames) / Double(max(1, sampleRate)) }

    /// One channel of it.
    public func channel(_ index: Int) -> [Float] {
        guard (0..<channels).contains(index) else { return [] }
        return stride(from: index, to: frames * channels, by: channels).map { samples[$0] }
    }

    /// As S16LE.
    public var pcm16: [UInt8] { PCM16.bytes(samples) }
}
