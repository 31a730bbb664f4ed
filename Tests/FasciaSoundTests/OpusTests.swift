import FasciaLink
import FasciaSound
import FasciaSoundSimulation
import Testing

@Suite("Opus")
struct OpusTests {
    private func decode(_ decoder: OpusDecoding, _ packet: [UInt8]) throws -> [Float] {
        let output = UnsafeMutablePointer<Float>.allocate(capacity: decoder.largestPacketFrames * decoder.channels)
        defer { output.deallocate() }
        let result = packet.withUnsafeBytes { bytes in Result { try decoder.decode(bytes, into: output) } }
        return Array(UnsafeBufferPointer(start: output, count: try result.get() * decoder.channels))
    }

    @Test("A tone survives at every rate, channel count and packet size", arguments: AudioFormat.opusRates, [1, 2])
    func roundTrip(_ rate: Int, _ channels: Int) throws {
        for frames in OpusEncoding.packetSizes(sampleRate: rate) {
            let encoder = try OpusEncoding(sampleRate: rate, channels: channels, bitrate: 128_000)
            let decoder = try OpusDecoding(sampleRate: rate, channels: channels)
            var signal = TestSignal(.sine(1000), sampleRate: rate)
            var left: [Float] = []
            for _ in 0..<rate / 2 / frames {
                let packet = try encoder.encode(signal.render(frames: frames, channels: channels))
                let sound = try decode(decoder, packet)
                #expect(sound.count == frames * channels)
                left += stride(from: 0, to: sound.count, by: channels).map { sound[$0] }
            }
            #expect(abs(Goertzel.amplitude(left.suffix(rate / 4), frequency: 1000, sampleRate: rate) - 0.5) < 0.03)
        }
    }

    @Test("Packets of chance are refused or decoded, and the stream goes on")
    func hostile() throws {
        var chance = SeededGenerator(seed: 5)
        let decoder = try OpusDecoding(sampleRate: 48_000, channels: 2)
        let buffer = try JitterBuffer(format: AudioFormat(.opus, sampleRate: 48_000, channels: 2))
        let output = UnsafeMutablePointer<Float>.allocate(capacity: 480 * 2)
        defer { output.deallocate() }
        var refused = 0
        for step in 0..<3000 {
            let packet = (0..<Int.random(in: 0...200, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
            do { _ = try decode(decoder, packet) } catch { refused += 1 }
            packet.withUnsafeBytes { data in
                let sequence: UInt32 = Bool.random(using: &chance) ? UInt32(step) : .random(in: 0...(.max), using: &chance)
                _ = buffer.push(sequence: sequence, time: .random(in: 0...(.max), using: &chance), data: data, now: UInt64(step) * 10_000_000)
            }
            buffer.pull(output, frames: 480, now: UInt64(step) * 10_000_000)
            #expect(buffer.buffered <= JitterBuffer.bound + 60_000_000)
        }
        #expect(refused > 100)
        var signal = TestSignal(.sine(1000))
        let encoder = try OpusEncoding(sampleRate: 48_000, channels: 2)
        var last: [Float] = []
        for _ in 0..<20 { last = try decode(decoder, encoder.encode(signal.render(frames: 960, channels: 2))) }
        #expect(LevelMeter.level(last) > -12)
    }

    @Test("Sizes that Opus has not are refused")
    func sizes() throws {
        let encoder = try OpusEncoding(sampleRate: 48_000, channels: 1)
        #expect(throws: SoundError.self) { try encoder.encode([Float](repeating: 0, count: 500)) }
        #expect(throws: SoundError.self) { try encoder.encode([]) }
        #expect(throws: SoundError.self) { try OpusEncoding(sampleRate: 44_100, channels: 1) }
        #expect(throws: SoundError.self) { try OpusDecoding(sampleRate: 48_000, channels: 3) }
    }
}
