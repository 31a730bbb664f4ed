import FasciaLink
import FasciaWire

/// The phone's side of a session, over all the connections it has: sans I/O, no clock.
///
/// ```
///            start                linkUp                  late, suspected, evidence
///  stopped --------> seeking -----------------> connected ----------------> connected + race
///     ^               ^   ^                      |  ^   ^                    |   |        |
///     |               |   |  closed for good     |  |   +---- recovered, ----+   |        | linkUp of the
///     |               |   +----------------------+  |         recalled           |        | race, resumed
///     |               |                             |                           |        v
///     |               | grace over,                 | linkUp, resumed           |     connected
///     | stop          | refused, forgotten          |                           |  (the new connection)
///  (anywhere)         +---------------------- suspended <-- lost, superseded ---+
/// ```
/// A race is a second attempt beside a connection in doubt. The one that answers first carries the session on: the old one
/// heard again, the attempt is recalled while its token is unspent; the new one up, the old one is closed quietly. Neither
/// is told to apps.
///
/// All times are nanoseconds of one monotonic clock. Perform the returned actions in their order, then wake at `nextDeadline`.
public struct PhoneSessionMachine: Sendable {
    public enum State: Equatable, Sendable {
        /// Not started, or over.
        case stopped
        /// No session.
        case seeking(Attempt)
        case connected(Connection)
        /// The connection is lost, the session is kept.
        case suspended(Suspension)
    }

    /// How the car is being reached.
    public enum Attempt: Equatable, Sendable {
        case dialing(LinkID)
        case waiting(until: UInt64)
    }

    public struct Connection: Equatable, Sendable {
        public let link: LinkID
        public let ticket: ResumeTicket
        /// Nanoseconds.
        public let grace: UInt64
        public var doubt = Doubt.none
        public var race: Race?
    }

    /// What is thought of a connection that is up.
    public enum Doubt: Hashable, Sendable {
        case none
        /// An answer is overdue.
        case late
        /// Nothing was heard for the suspect time, or something else speaks against it.
        case suspect
    }

    /// A new connection beside one in doubt.
    public enum Race: Equatable, Sendable {
        case dialing(LinkID)
        /// The old connection was heard again: the attempt is asked to stop.
        case recalling(LinkID)
        /// The first flight has left: the car may have moved the session there.
        case committed(LinkID)
        /// The last attempt failed.
        case waiting(until: UInt64)
    }

    public struct Suspension: Equatable, Sendable {
        public let ticket: ResumeTicket
        public let graceEnd: UInt64
        public let lost: SessionEnd
        public var attempt: Attempt
    }

    public internal(set) var state = State.stopped
    var backoff: Backoff
    var generator: SeededGenerator
    var lastLink = LinkID(rawValue: 0)

    public init(generator: SeededGenerator, backoff: Backoff = Backoff()) {
        self.generator = generator
        self.backoff = backoff
    }

    /// What to offer in a Hello that leaves now.
    public var ticket: ResumeTicket? {
        switch state {
        case .stopped, .seeking: nil
        case .connected(let connection): connection.ticket
        case .suspended(let suspension): suspension.ticket
        }
    }

    /// The car is there, or may come back within the grace time: scenes live.
    public var hasSession: Bool { ticket != nil }

    /// The connection that carries screen and input.
    @inline(never) // into another module, optimized, the compiler (6.3.1) fails on it: "Found ownership error"
    public var link: LinkID? {
        if case .connected(let connection) = state { connection.link } else { nil }
    }

    /// The connection whose loss (a close code that keeps the session) this machine would answer with an attempt at once. Its owner may
    /// have that attempt begin by itself then, and give it the number of the `dial` that follows.
    @inline(never) // see `link`
    public var reflex: LinkID? {
        guard case .connected(let connection) = state, connection.race == nil, connection.doubt == .none, backoff.isReset else { return nil }
        return connection.link
    }

    /// When to call `deadlineReached`; nil when there is nothing to wait for.
    public var nextDeadline: UInt64? {
        switch state {
        case .stopped, .seeking(.dialing): nil
        case .seeking(.waiting(let until)): until
        case .connected(let connection): if case .waiting(let until) = connection.race { until } else { nil }
        case .suspended(let suspension):
            if case .waiting(let until) = suspension.attempt { min(until, suspension.graceEnd) } else { suspension.graceEnd }
        }
    }
}
