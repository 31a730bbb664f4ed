/// A movement of what is ducked from one level to another, as it was mixed.
public struct DuckMove: Hashable, Sendable {
    /// Kept by a mixer.
    static let kept = 16

    /// dB.
    public var from: Float
    public var to: Float
    /// Of the times given to `Mixer.mix`, nanoseconds.
    public var began: UInt64
    /// Nil: it goes on.
    public var ended: UInt64?
}
