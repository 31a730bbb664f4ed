/// What a stream of sound is made of (spec/sound.md, Formats).
public struct AudioFormat: Hashable, Sendable {
    public enum Codec: UInt8, Hashable, Sendable, CaseIterable {
        /// Signed 16 bits, little-endian, interleaved.
        case pcm16 = 1
        /// RFC 6716.
        case opus = 2
    }

    public var codec: Codec
    /// Frames a second.
    public var sampleRate: Int
    public var channels: Int

    public init(_ codec: Codec, sampleRate: Int, channels: Int) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
