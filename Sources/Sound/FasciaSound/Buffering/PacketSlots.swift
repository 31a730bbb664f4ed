/// Packets that have come and not been played, by sequence number, in buffers used over and over.
struct PacketSlots {
    /// More than fit in the bound of a `JitterBuffer`: 128 packets of 2.5 ms are 320 ms.
    static let capacity = 128

    struct Slot {
        var sequence: UInt32 = 0
        var filled = false
        var bytes: [UInt8] = []
        /// In it, at the stream's rate.
        var frames = 0
        /// The sender's clock at its first frame, nanoseconds.
        var time: UInt64 = 0
        /// Its first frame, counted from the stream's first.
        var position: Int64 = 0
    }

    private var slots = [Slot](repeating: Slot(), count: capacity)

    private static func index(_ sequence: UInt32) -> Int { Int(sequence % UInt32(capacity)) }

    func contains(_ sequence: UInt32) -> Bool {
        let slot = slots[Self.index(sequence)]
        return slot.filled && slot.sequence == sequence
    }

    func position(_ sequence: UInt32) -> Int64 { slots[Self.index(sequence)].position }
    func time(_ sequence: UInt32) -> UInt64 { slots[Self.index(sequence)].time }
    func frames(_ sequence: UInt32) -> Int { slots[Self.index(sequence)].frames }

    mutating func put(_ sequence: UInt32, _ data: UnsafeRawBufferPointer, frames: Int, time: UInt64, position: Int64) {
        let index = Self.index(sequence)
        slots[index].sequence = sequence
        slots[index].filled = true
        slots[index].frames = frames
        slots[index].time = time
        slots[index].position = position
        slots[index].bytes.removeAll(keepingCapacity: true)
        slots[index].bytes.append(contentsOf: data)
    }

    func withBytes<R>(_ sequence: UInt32, _ body: (UnsafeRawBufferPointer) throws(SoundError) -> R) throws(SoundError) -> R {
        let result = slots[Self.index(sequence)].bytes.withUnsafeBytes { bytes in Result { () throws(SoundError) in try body(bytes) } }
        return try result.get()
    }

    mutating func remove(_ sequence: UInt32) { slots[Self.index(sequence)].filled = false }

    mutating func removeAll() { for index in slots.indices { slots[index].filled = false } }
}
