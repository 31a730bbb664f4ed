import FasciaWire

/// What a link tells its owner, in order.
public enum LinkEvent: Sendable {
    /// Head unit: a phone wants a session. Answer with `accept` or `close` before the handshake timeout.
    indirect case helloReceived(Hello)
    /// Both ends: channels are open. The Welcome is the one in force: only what both ends know and asked for.
    indirect case established(Welcome)
    /// A whole message. Pair messages come on the control channel.
    case message(channel: ChannelID, type: UInt16, body: [UInt8])
    /// A probe's answer is overdue by what is usual on this path; nothing is in doubt yet, but a new connection may be raced.
    /// - Parameter for: nanoseconds since the probe was sent, or since a byte was heard after it.
    case late(for: UInt64)
    /// The link may be dead; a new connection may be raced against it.
    case suspected(Evidence)
    /// A late or suspect link is alive again.
    /// - Parameter silence: how long nothing was heard, in nanoseconds.
    case recovered(silence: UInt64)
    /// The last event.
    case closed(LinkClosure)
}

/// What became of a `send`.
public enum SendResult: Hashable, Sendable {
    case queued
    case refused(SendRefusal)
}

/// Why a message was not queued.
public enum SendRefusal: Hashable, Sendable {
    /// The connection is closed.
    case closed
    /// The channel is not open, or not yet.
    case channelNotOpen
    /// The registry does not let this end send this message on this channel now.
    case illegalMessage
    /// Longer than the channel or the peer allows.
    /// - Parameter limit: bytes, message type included.
    case messageTooLarge(limit: Int)
    /// The channel has too much waiting.
    /// - Parameters:
    ///   - queued: bytes waiting now.
    ///   - limit: most bytes that may wait.
    case queueFull(queued: Int, limit: Int)
}
