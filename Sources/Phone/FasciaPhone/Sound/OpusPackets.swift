import FasciaSound

/// Makes Opus packets out of PCM packets of any length.
final class OpusPackets {
    struct Packet {
        let data: [UInt8]
        /// Of its first frame, nanoseconds.
        let time: UInt64
    }

    /// Nanoseconds of a packet: 20 ms of media, Opus' own measure, at half the wake-ups on both sides; 10 ms of what should be heard soon.
    let duration: UInt64
    private let source: FasciaSound.AudioFormat
    private let rate: Int
    private let encoder: OpusEncoding
    private let resampler: Resampler?
    private var samples: [Float] = []
    /// When the first of `samples` sounds.
    private var next: UInt64 = 0
    /// Of a packet.
    private let frames: Int

    /// - Throws: `SoundError` when the libraries cannot.
    init(_ source: FasciaSound.AudioFormat, to format: FasciaSound.AudioFormat, route: AudioRoute) throws(SoundError) {
        self.source = source
        rate = format.sampleRate
        (duration, frames) = route == .media ? (20_000_000, rate / 50) : (10_000_000, rate / 100)
        encoder = try OpusEncoding(sampleRate: rate, channels: source.channels, purpose: route == .media ? .audio : .voice)
        resampler = source.sampleRate == rate ? nil : try Resampler(channels: source.channels)
    }

    /// - Parameter time: of the first frame of `pcm`.
    func add(_ pcm: [UInt8], time: UInt64) throws(SoundError) -> [Packet] {
        next = time &- min(held, time)
        samples += try converted(PCM16.samples(pcm))
        var packets: [Packet] = []
        let size = frames * source.channels
        while samples.count >= size {
            packets.append(try packet(size))
        }
        return packets
    }

    /// What is left of the sound, with silence behind it.
    func finish() throws(SoundError) -> Packet? {
        if samples.isEmpty { return nil }
        let size = frames * source.channels
        samples += [Float](repeating: 0, count: max(0, size - samples.count))
        return try packet(size)
    }

    private func packet(_ size: Int) throws(SoundError) -> Packet {
        let packet = Packet(data: try encoder.encode(Array(samples[..<size])), time: next)
        samples.removeFirst(size)
        next &+= duration
        return packet
    }

    /// Something is missing before what comes next.
    /// - Returns: nanoseconds of sound that are dropped with it, as a packet of their own would not go on to what comes.
    @discardableResult
    func skip() -> UInt64 {
        defer { samples = [] }
        resampler?.reset()
        return held
    }

    private var held: UInt64 { UInt64(samples.count / source.channels) * 1_000_000_000 / UInt64(rate) }

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
