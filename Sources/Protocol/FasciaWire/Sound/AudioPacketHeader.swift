/// The 16 bytes before the sound of an AudioPacket message, 0x2003 (spec/sound.md 4), big-endian.
/// ```
///  0               1               2               3
/// +---------------------------------------------------------------+
/// |                          stream (32)                          |
/// +---------------------------------------------------------------+
/// |                         sequence (32)                         |
/// +---------------------------------------------------------------+
/// |       time (64), nanoseconds of the sender's monotonic        |
/// |                 clock at the first frame                      |
/// +---------------------------------------------------------------+
/// |              PCM S16LE or one Opus packet …                   |
/// ```
public struct AudioPacketHeader: Hashable, Sendable {
    /// Bytes of the header.
    public static let size = 16
    /// Most bytes of sound behind it: what fits the longest message of a sound channel.
    public static let maxData = 8_192 - 2 - size

    /// As in its StreamStart.
    public var stream: UInt32
    /// From 0, one more for every packet, also for one that was not sent.
    public var sequence: UInt32
    /// Nanoseconds of the sender's monotonic clock.
    public var time: UInt64

    public init(stream: UInt32, sequence: UInt32, time: UInt64) {
        self.stream = stream
        self.sequence = sequence
        self.time = time
    }

    /// The header of a message's body; nil when the body is shorter than one. Any 16 bytes are a header.
    public init?(decoding body: some RandomAccessCollection<UInt8>) {
        guard body.count >= Self.size else { return nil }
        var bytes = body.makeIterator()
        func number(_ count: Int) -> UInt64 {
            (0..<count).reduce(into: 0) { sum, _ in sum = sum << 8 | UInt64(bytes.next() ?? 0) }
        }
        stream = UInt32(truncatingIfNeeded: number(4))
        sequence = UInt32(truncatingIfNeeded: number(4))
        time = number(8)
    }

    /// Appends the 16 bytes.
    public func encode(into output: inout [UInt8]) {
        output.reserveCapacity(output.count + Self.size)
        for shift in stride(from: UInt32(24), through: 0, by: -8) { output.append(UInt8(truncatingIfNeeded: stream >> shift)) }
        for shift in stride(from: UInt32(24), through: 0, by: -8) { output.append(UInt8(truncatingIfNeeded: sequence >> shift)) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) { output.append(UInt8(truncatingIfNeeded: time >> shift)) }
    }

    /// The 16 bytes.
    public var encoded: [UInt8] {
        var output: [UInt8] = []
        encode(into: &output)
        return output
    }
}
