/// Values that mean nothing, sent so that peers stay tolerant of the unknown (spec: Extensibility; RFC 8701 for the idea).
/// Deterministic: the same seed gives the same values.
struct Grease: Sendable {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    /// A message type, capability or channel number that will never be defined: 0x?A?A.
    mutating func number() -> UInt16 { UInt16(truncatingIfNeeded: next()) & 0xF0F0 | 0x0A0A }

    /// A frame type that will never be defined: 0x?A.
    mutating func frameType() -> UInt8 { UInt8(truncatingIfNeeded: next()) & 0xF0 | 0x0A }

    /// At most 32 bytes of anything.
    mutating func payload() -> [UInt8] {
        let count = next() % 33
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// Whether to send some now: once in eight times.
    mutating func isDue() -> Bool { next() & 7 == 0 }
}
