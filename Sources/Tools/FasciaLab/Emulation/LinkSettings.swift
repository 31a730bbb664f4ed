/// What one direction of the link does to packets. Times in nanoseconds.
public struct LinkSettings: Codable, Equatable, Sendable {
    /// One way; half a round trip where both directions have the same.
    public var delay: UInt64 = 0
    /// Delay varies evenly by up to this to either side, never below zero.
    public var jitter: UInt64 = 0
    /// Jitter lets packets overtake each other. Else one that would arrive before its predecessor arrives right behind it, as on car Wi-Fi.
    public var reorders = false
    /// Part of the packets that is lost at random, 0...1.
    public var loss = 0.0
    /// Bits per second; nil is as fast as the machine.
    public var rate: UInt64?
    /// Bytes that wait for `rate` at most; what comes on top is dropped.
    public var queue = 256 * 1024

    public init() {}
}
