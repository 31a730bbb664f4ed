/// What precedes the sound in a packet, after the kind byte; as in an AudioPacket of the car link.
///
/// ```
///  0        1               5               9                              17
///  +--------+---------------+---------------+-------------------------------+----------------
///  |  kind  |    stream     |   sequence    |            time_ns            | S16LE, interleaved
///  +--------+---------------+---------------+-------------------------------+----------------
/// ```
/// Big-endian, but for the sound.
public struct SoundPacketHeader: Hashable, Sendable {
    /// Bytes, without the kind.
    public static let size = 16

    /// The app's number of the stream.
    public var stream: UInt32
    /// From 0, rising by 1 a packet, also for packets that were dropped.
    public var sequence: UInt32
    /// When the first frame is to sound, on CLOCK_MONOTONIC, which both processes share.
    public var time: UInt64

    public init(stream: UInt32, sequence: UInt32, time: UInt64) {
        self.stream = stream
        self.sequence = sequence
        self.time = time
    }

    /// Nil when there are fewer than ``size`` bytes from `offset` on.
    public init?(_ bytes: [UInt8], at offset: Int) {
        guard offset >= 0, bytes.count - Self.size >= offset else { return nil }
        func read(_ range: Range<Int>) -> UInt64 { bytes[range.lowerBound + offset ..< range.upperBound + offset].reduce(0) { $0 << 8 | UInt64($1) } }
        stream = UInt32(truncatingIfNeeded: read(0..<4))
        sequence = UInt32(truncatingIfNeeded: read(4..<8))
        time = read(8..<16)
    }

    /// ``size`` bytes.
    public func append(to bytes: inout [UInt8]) {
        for shift in stride(from: UInt32(24), through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: stream >> shift)) }
        for shift in stride(from: UInt32(24), through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: sequence >> shift)) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: time >> shift)) }
    }
}

/// A header and its sound.
public struct SoundPacket: Hashable, Sendable {
    public var header: SoundPacketHeader
    /// S16LE, interleaved; 1 to ``SoundLimits/packet`` bytes.
    public var samples: [UInt8]

    public init(_ header: SoundPacketHeader, samples: [UInt8]) {
        self.header = header
        self.samples = samples
    }
}
