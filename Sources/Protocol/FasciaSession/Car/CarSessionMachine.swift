import FasciaLink
import FasciaWire

/// The head unit's side of a session, over all the connections it has: one screen, at most one phone. Sans I/O, no clock.
///
/// ```
///          Hello                 linkUp                 lost
///  free ----------> welcomed --------------> connected --------> frozen
///   ^                  |                      |   ^  |             |  |
///   |   not up in time |        Hello, resume |   |  |             |  | Hello, resume
///   +------------------+                      v   |  |             |  |
///   |                                       resuming <-------------|--+
///   |                                             |  |             |
///   |                 not up in time: frozen -----+  |             |
///   +----- closed for good, forgotten, stopped ------+- grace over +
/// ```
/// A Hello of the same phone that resumes nothing replaces the session; another phone is busied off while this one has a
/// connection or is getting one, and replaces it in its grace time.
///
/// `Presence` is what the owner keeps for a session: layers, resources. It lives as long as the session does.
/// All times are nanoseconds of one monotonic clock. Perform the returned actions in their order, then wake at `nextDeadline`.
public struct CarSessionMachine<Presence: Sendable>: Sendable {
    public enum State: Sendable {
        case free
        /// A new session's Welcome is on its way.
        case welcomed(Holder, until: UInt64)
        case connected(Holder, LinkID)
        /// A connection that resumes the session is on its way. Nobody sees that: the picture stays as it is.
        /// - Parameters:
        ///   - until: when it counts as lost.
        ///   - lost: what befell the last connection.
        case resuming(Holder, until: UInt64, graceEnd: UInt64, lost: SessionEnd?)
        /// The connection is lost; the session waits for its phone.
        case frozen(Holder, graceEnd: UInt64, lost: SessionEnd)
    }

    public struct Holder: Sendable {
        /// SHA-256 of the phone's public key.
        public let fingerprint: [UInt8]
        public let session: [UInt8]
        public let presence: Presence
        /// A connection got as far as Welcome.
        public var hasConnected = false
        var tokens: ResumeTokens
        /// What the Hello offered that the session began with, for another session that is over, and when that was.
        var origin: (offer: ResumeTicket, at: UInt64)?

        /// Its connection is gone: nobody waits for that one any more.
        mutating func carrierLost() {
            tokens.carrierLost()
            origin = nil
        }
    }

    /// How long a Welcome may take to become a connection, nanoseconds.
    public static var settling: UInt64 { 1_000_000_000 }

    /// How long a connection that offers a token again is left waiting, nanoseconds: the phone has several under way, and takes the
    /// one that was welcomed first, if it hears of it.
    public static var patience: UInt64 { 150_000_000 }

    public internal(set) var state = State.free
    /// Nanoseconds a session is kept without a connection.
    public let grace: UInt64

    /// - Parameter grace: nanoseconds.
    public init(grace: UInt64) { self.grace = grace }

    /// Who has the screen, or waits for it.
    public var holder: Holder? {
        switch state {
        case .free: nil
        case .welcomed(let holder, _), .connected(let holder, _), .resuming(let holder, _, _, _), .frozen(let holder, _, _): holder
        }
    }

    /// The connection that carries screen and input.
    public var link: LinkID? {
        if case .connected(_, let link) = state { link } else { nil }
    }

    /// The picture stands under a notice.
    public var isFrozen: Bool {
        if case .frozen = state { true } else { false }
    }

    /// When to call `deadlineReached`; nil when there is nothing to wait for.
    public var nextDeadline: UInt64? {
        switch state {
        case .free, .connected: nil
        case .welcomed(_, let until), .resuming(_, let until, _, _): until
        case .frozen(_, let graceEnd, _): graceEnd
        }
    }
}
