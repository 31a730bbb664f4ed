import FasciaLink

/// What an established session tells its owner, in order. `closed` is the last.
public enum SessionEvent: Sendable {
    /// A whole message. The peer may send more in its place from the moment it is taken from the stream.
    case message(channel: UInt16, type: UInt16, body: [UInt8])
    /// A probe's answer is overdue by what is usual on this path: a new connection may be raced, nothing else is to be done.
    /// - Parameter for: nanoseconds it has been waited for.
    case late(for: UInt64)
    /// The link may be dead: a new connection may be raced against it.
    case suspected(Evidence)
    /// A late or suspect link is alive again.
    /// - Parameter silence: nanoseconds in which nothing was heard.
    case recovered(silence: UInt64)
    case closed(LinkClosure)
}
