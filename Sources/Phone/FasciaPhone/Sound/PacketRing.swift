/// Packets that the link has no room for: at most so much sound, the oldest goes first.
struct PacketRing {
    struct Packet {
        let body: [UInt8]
        /// Nanoseconds.
        let duration: UInt64
    }

    /// Nanoseconds of sound kept. With as much in the link it is SEND_BOUND (spec/sound.md, S-15).
    static let limit: UInt64 = 50_000_000

    private var packets: [Packet] = []
    private var first = 0
    private var duration: UInt64 = 0

    var isEmpty: Bool { first == packets.count }

    /// - Returns: how many were dropped for it.
    mutating func append(_ packet: Packet) -> Int {
        packets.append(packet)
        duration += packet.duration
        var dropped = 0
        while duration > Self.limit, packets.count - first > 1 {
            _ = next()
            dropped += 1
        }
        return dropped
    }

    var oldest: Packet? { isEmpty ? nil : packets[first] }

    @discardableResult
    mutating func next() -> Packet? {
        guard let packet = oldest else { return nil }
        first += 1
        duration -= packet.duration
        if first > 64 || isEmpty {
            packets.removeFirst(first)
            first = 0
        }
        return packet
    }
}
