import FasciaWire

/// Counters of one connection.
public struct LinkStatistics: Hashable, Sendable {
    /// Of everything inside TLS, frame headers included.
    public var bytesIn: UInt64 = 0
    public var bytesOut: UInt64 = 0
    /// Of every type.
    public var framesIn: UInt64 = 0
    public var framesOut: UInt64 = 0
    /// Whole messages, GREASE and negotiation included.
    public var messagesIn: UInt64 = 0
    public var messagesOut: UInt64 = 0
    /// Frames of unknown type.
    public var framesIgnored: UInt64 = 0
    /// Messages of unknown type, or on channels that were refused.
    public var messagesIgnored: UInt64 = 0
    public var probesSent: UInt64 = 0
    public var probesAnswered: UInt64 = 0
    /// Times a probe's answer was late.
    public var latenesses: UInt64 = 0
    /// Times the link became suspect.
    public var suspicions: UInt64 = 0
    /// Smoothed round-trip time in nanoseconds; nil before the first answer to a probe.
    public var roundTrip: UInt64?
    /// Shortest round-trip time seen, in nanoseconds.
    public var shortestRoundTrip: UInt64?
    /// What is known of the peer's clock; nil when it does not tell.
    public var clock: ClockEstimate?
    /// Bytes of messages waiting to be sent, for every open channel.
    public var queuedBytes: [ChannelID: Int] = [:]

    public init() {}
}
