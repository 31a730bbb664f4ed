import COpus

/// Encodes one stream to Opus packets (RFC 6716). Not for use by two threads at once.
public final class OpusEncoding {
    /// What the encoder is tuned for.
    public enum Purpose: Sendable {
        /// Music and everything else.
        case audio
        /// Speech with in-band copies of what may get lost.
        case voice
    }

    /// Largest packet it makes, bytes (RFC 6716 3.4: one frame of at most 1,275 bytes, here up to three of 20 ms).
    public static let largestPacket = 3 * 1275 + 7

    public let sampleRate: Int
    public let channels: Int
    private let encoder: OpaquePointer

    /// - Parameters:
    ///   - sampleRate: one of `AudioFormat.opusRates`.
    ///   - channels: 1 or 2.
    ///   - bitrate: bits a second, 6,000 to 510,000; nil: 96,000 a channel pair of music, 24,000 a channel of voice.
    ///   - complexity: 0 (cheapest) to 10.
    public init(
        sampleRate: Int, channels: Int, purpose: Purpose = .audio, bitrate: Int? = nil, complexity: Int = 5
    ) throws(SoundError) {
        let format = AudioFormat(.opus, sampleRate: sampleRate, channels: channels)
        if let refusal = format.refusal { throw SoundError(.format, refusal) }
        var status: Int32 = 0
        let application = purpose == .voice ? OPUS_APPLICATION_VOIP : OPUS_APPLICATION_AUDIO
        guard let encoder = opus_encoder_create(Int32(sampleRate), Int32(channels), application, &status) else { throw Self.error(status) }
        let bits = bitrate ?? (purpose == .voice ? 24_000 : 48_000) * channels
        _ = fascia_opus_set_bitrate(encoder, Int32(min(max(bits, 6000), 510_000)))
        _ = fascia_opus_set_inband_fec(encoder, 1)
        _ = fascia_opus_set_packet_loss(encoder, purpose == .voice ? 5 : 1)
        _ = fascia_opus_set_complexity(encoder, Int32(min(max(complexity, 0), 10)))
        (self.sampleRate, self.channels, self.encoder) = (sampleRate, channels, encoder)
    }

    deinit { opus_encoder_destroy(encoder) }

    /// Frames that a packet can hold: 2.5, 5, 10, 20, 40 or 60 ms.
    public static func packetSizes(sampleRate: Int) -> [Int] { [25, 50, 100, 200, 400, 600].map { sampleRate * $0 / 10_000 } }

    /// - Parameters:
    ///   - samples: interleaved; one of `packetSizes` frames.
    ///   - packet: room for `largestPacket`.
    /// - Returns: bytes written.
    public func encode(_ samples: UnsafeBufferPointer<Float>, into packet: UnsafeMutableRawBufferPointer) throws(SoundError) -> Int {
        let frames = samples.count / channels
        guard let input = samples.baseAddress, let output = packet.baseAddress?.assumingMemoryBound(to: UInt8.self),
              frames * channels == samples.count, Self.packetSizes(sampleRate: sampleRate).contains(frames)
        else { throw SoundError(.format, "an Opus packet holds 2.5, 5, 10, 20, 40 or 60 ms") }
        let count = opus_encode_float(encoder, input, Int32(frames), output, Int32(clamping: packet.count))
        guard count > 0 else { throw Self.error(count) }
        return Int(count)
    }

    /// The same, to an array.
    public func encode(_ samples: [Float]) throws(SoundError) -> [UInt8] {
        var packet = [UInt8](repeating: 0, count: Self.largestPacket)
        let result = samples.withUnsafeBufferPointer { input in
            packet.withUnsafeMutableBytes { output in Result { () throws(SoundError) in try encode(input, into: output) } }
        }
        packet.removeLast(packet.count - (try result.get()))
        return packet
    }

    private static func error(_ status: Int32) -> SoundError { SoundError(.library, "Opus: \(String(cString: opus_strerror(status)))") }
}
