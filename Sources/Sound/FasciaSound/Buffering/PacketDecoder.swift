/// Bytes of a stream's packets to samples, whichever codec.
final class PacketDecoder {
    private let format: AudioFormat
    private let opus: OpusDecoding?

    init(_ format: AudioFormat) throws(SoundError) {
        self.format = format
        opus = format.codec == .opus ? try OpusDecoding(sampleRate: format.sampleRate, channels: format.channels) : nil
    }

    /// Can make up sound and recover it from the packet that follows.
    var conceals: Bool { opus != nil }

    /// Frames in a packet; nil when it is none of 2.5 to 60 ms.
    func frames(in data: UnsafeRawBufferPointer) -> Int? {
        if opus != nil { return OpusDecoding.frames(of: data, sampleRate: format.sampleRate) }
        let size = 2 * format.channels
        guard data.count % size == 0, data.count <= size * format.sampleRate else { return nil }
        return AudioFormat.packetDurations.contains(format.duration(ofFrames: data.count / size)) ? data.count / size : nil
    }

    /// - Returns: frames written.
    func decode(_ data: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<Float>) throws(SoundError) -> Int {
        if let opus { return try opus.decode(data, into: output) }
        PCM16.decode(data, into: output)
        return data.count / (2 * format.channels)
    }

    func recover(frames: Int, from successor: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<Float>) throws(SoundError) -> Int {
        try opus?.recover(frames: frames, from: successor, into: output) ?? 0
    }

    func conceal(frames: Int, into output: UnsafeMutablePointer<Float>) throws(SoundError) -> Int {
        try opus?.conceal(frames: frames, into: output) ?? 0
    }
}
