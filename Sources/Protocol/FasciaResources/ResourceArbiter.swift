import FasciaWire

/// Decides on the head unit who owns the screen and main audio (spec/ownership.md).
public struct ResourceArbiter: Sendable {
    public init() {}
}
