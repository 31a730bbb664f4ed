import FasciaLink
import FasciaThreads
import FasciaWire

/// Gets the messages of sound channels (``ChannelID/sound``) as they come in: channel, message type, body, and when its bytes were
/// read, in nanoseconds of CLOCK_MONOTONIC. Called on the connection's event loop, one at a time and in order: it must be quick, and
/// may send. The peer may send more in a message's place from the moment it is called.
public typealias SoundConsumer = @Sendable (_ channel: ChannelID, _ type: UInt16, _ body: [UInt8], _ arrival: UInt64) -> Void

extension LinkSession {
    /// Has messages of sound channels go to `consumer` and not among the events, those too that nobody has taken yet; `nil` ends that. A
    /// phone does it before it takes events, a head unit with ``HelloReply/consumeSound(_:)`` before it answers. It is let go when the connection ends.
    public func consumeSound(_ consumer: SoundConsumer?) { core.consumeSound(consumer) }

    /// What is known of the peer's clock; nil until it has answered a probe with it, and when it does not tell (CAPABILITY_CLOCK).
    /// Its instants are of CLOCK_MONOTONIC.
    public var clock: ClockEstimate? { core.inspect { $0.clockEstimate } }

    /// Whether ``clock`` should be kept fresh, as while a stream plays: then the peer is asked at least once a second.
    public func setNeedsClock(_ isNeeded: Bool) { core.setNeedsClock(isNeeded) }

    /// Precedence of the threads that carry sound of this process's connections; nil before there was any.
    public static var soundPrecedence: ThreadPrecedence? { SoundLoop.current }

    /// Bytes waiting on a channel that the network has not taken yet, message types included; 0 when it is not open.
    public func queuedBytes(channel: UInt16) -> Int { core.queuedBytes(ChannelID(rawValue: channel)) }
}

extension HelloReply {
    /// As ``LinkSession/consumeSound(_:)``. Before ``accept(_:)`` or ``take(_:)``: then no packet is missed.
    public func consumeSound(_ consumer: SoundConsumer?) { core.consumeSound(consumer) }
}
