import FasciaSound

/// Makes Opus packets of 10 ms out of PCM packets of any length.
final class OpusPackets {
    struct Packet {
        let data: [UInt8]
        /// Of its first frame, nanoseconds.
        let time: UInt64
    }

    private static let duration: UInt64 = 10_000_000
    private let source: FasciaSound.AudioFormat
    private let rate: Int
    private let encoder: OpusEncoding
    private let resampler: Resampler?
    private var samples: [Float] = []
    private var frames: Int { rate / 100 }

    /// - Throws: `SoundError` when the libraries cannot.
    init(_ source: FasciaSound.AudioFormat, to format: FasciaSound.AudioFormat, route: AudioRoute) throws(SoundError) {
        self.source = source
        rate = format.sampleRate
        encoder = try OpusEncoding(sampleRate: rate, channels: source.channels, purpose: route == .media ? .audio : .voice)
        resampler = source.sampleRate == rate ? nil : try Resampler(channels: source.channels)
    }

    /// - Parameter time: of the first frame of `pcm`.
    func add(_ pcm: [UInt8], time: UInt64) throws(SoundError) -> [Packet] {
        let held = UInt64(samples.count / source.channels) * 1_000_000_000 / UInt64(rate)
        var next = time &- min(held, time)
        samples += try converted(PCM16.samples(pcm))
        var packets: [Packet] = []
        let size = frames * source.channels
        while samples.count >= size {
            packets.append(Packet(data: try encoder.encode(Array(samples[..<size])), time: next))
            samples.removeFirst(size)
            next &+= Self.duration
        }
        return packets
    }

    /// Something is missing before what comes next.
    func skip() {
        samples = []
        resampler?.reset()
    }

    private func converted(_ input: [Float]) throws(SoundError) -> [Float] {
        guard let resampler, !input.isEmpty else { return input }
        let ratio = Double(rate) / Double(source.sampleRate)
        let room = Int(Double(input.count / source.channels) * ratio) + 64
        var output = [Float](repeating: 0, count: room * source.channels)
        let result = input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                Result { () throws(SoundError) in
                    guard let from = input.baseAddress, let to = output.baseAddress else { return 0 }
                    return try resampler.process(from, frames: input.count / source.channels, into: to, room: room, ratio: ratio).made
                }
            }
        }
        output.removeLast(output.count - min(output.count, (try result.get()) * source.channels))
        return output
    }
}
