import COpus

/// Decodes the Opus packets of one stream (RFC 6716). Not for use by two threads at once.
public final class OpusDecoding {
    /// Of what comes out.
    public let sampleRate: Int
    public let channels: Int
    private let decoder: OpaquePointer

    /// - Parameters:
    ///   - sampleRate: one of `AudioFormat.opusRates`.
    ///   - channels: 1 or 2.
    public init(sampleRate: Int, channels: Int) throws(SoundError) {
        let format = AudioFormat(.opus, sampleRate: sampleRate, channels: channels)
        if let refusal = format.refusal { throw SoundError(.format, refusal) }
        var status: Int32 = 0
        guard let decoder = opus_decoder_create(Int32(sampleRate), Int32(channels), &status) else { throw Self.error(status) }
        (self.sampleRate, self.channels, self.decoder) = (sampleRate, channels, decoder)
    }

    deinit { opus_decoder_destroy(decoder) }

    /// Frames in a packet at a rate; nil when it is not an Opus packet of 2.5 to 60 ms.
    public static func frames(of packet: UnsafeRawBufferPointer, sampleRate: Int) -> Int? {
        guard let bytes = packet.baseAddress?.assumingMemoryBound(to: UInt8.self), let length = Int32(exactly: packet.count) else { return nil }
        let frames = Int(opus_packet_get_nb_samples(bytes, length, Int32(sampleRate)))
        guard frames >= sampleRate / 400, frames <= sampleRate * 60 / 1000 else { return nil }
        return frames
    }

    /// Room that `decode` may need: 60 ms.
    public var largestPacketFrames: Int { sampleRate * 60 / 1000 }

    /// - Parameter output: room for `largestPacketFrames`.
    /// - Returns: frames written.
    public func decode(_ packet: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<Float>) throws(SoundError) -> Int {
        guard Self.frames(of: packet, sampleRate: sampleRate) != nil else {
            throw SoundError(.malformedPacket, "\(packet.count) bytes are not an Opus packet of 2.5 to 60 ms")
        }
        return try run(packet, frames: largestPacketFrames, fec: false, output)
    }

    /// What a lost packet held, from the copy that its successor carries, else made up.
    /// - Parameter frames: of the lost packet, a multiple of 2.5 ms.
    public func recover(frames: Int, from successor: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<Float>) throws(SoundError) -> Int {
        guard Self.frames(of: successor, sampleRate: sampleRate) != nil else { return try conceal(frames: frames, into: output) }
        return try run(successor, frames: whole(frames), fec: true, output)
    }

    /// Makes up what a lost packet may have held.
    /// - Parameter frames: of the lost packet, a multiple of 2.5 ms, at most 60 ms.
    public func conceal(frames: Int, into output: UnsafeMutablePointer<Float>) throws(SoundError) -> Int {
        try run(UnsafeRawBufferPointer(start: nil, count: 0), frames: whole(frames), fec: false, output)
    }

    /// libopus conceals in steps of 2.5 ms.
    private func whole(_ frames: Int) -> Int {
        let step = sampleRate / 400
        return max(step, min(frames, largestPacketFrames) / step * step)
    }

    private func run(
        _ packet: UnsafeRawBufferPointer, frames: Int, fec: Bool, _ output: UnsafeMutablePointer<Float>
    ) throws(SoundError) -> Int {
        let bytes = packet.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = opus_decode_float(decoder, bytes, Int32(packet.count), output, Int32(frames), fec ? 1 : 0)
        guard count >= 0 else { throw Self.error(count) }
        return Int(count)
    }

    private static func error(_ status: Int32) -> SoundError {
        let words = String(cString: opus_strerror(status))
        return SoundError(status == OPUS_INVALID_PACKET ? .malformedPacket : .library, "Opus: \(words)")
    }
}
