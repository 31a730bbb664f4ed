/// What a stream does to media and to the car's own programme while it lasts (spec/sound.md, Ducking).
public struct Duck: Hashable, Sendable {
    /// What the others are brought to, dB, -100 (silence) to 0.
    public var level: Float
    /// Nanoseconds until they are there, linear in dB, and back again; at most 5 s.
    public var ramp: Int64

    /// What is not a number or out of its range is brought inside.
    public init(level: Float = -15, ramp: Int64 = 200_000_000) {
        self.level = level.isNaN ? 0 : min(max(level, -100), 0)
        self.ramp = min(max(ramp, 0), 5_000_000_000)
    }
}
