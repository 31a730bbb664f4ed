import FasciaLink
import FasciaWire

/// How hard to try to reach the car.
public enum DialUrgency: Hashable, Sendable {
    /// Nobody waits: an attempt for each address.
    case patient
    /// A picture waits: many attempts beside each other until one gets through.
    case racing
}

/// Why a connection was not made.
public enum DialFailure: Hashable, Sendable {
    /// Nobody answers there, or not in time.
    case unreachable
    /// TCP or TLS came about and then nothing more, or nonsense.
    case silent
    /// The car does not know this phone's key, or this phone not the car's.
    case notPaired
    /// The car answered with CLOSE.
    case refused(CloseCode)
}

/// What the phone is to do.
public enum PhoneAction: Equatable, Sendable {
    /// Begin to connect. What the first flight says, the resume ticket among it, is read when it leaves: see ``PhoneSessionMachine/ticket``.
    case dial(LinkID, DialUrgency)
    /// There may be new addresses: try them too.
    case widen(LinkID)
    /// Give the attempt up unless its first flight has left. To be answered at once by `recalled` or `flightTaken`.
    case recall(LinkID)
    /// Give the attempt up, whatever has left.
    case stopDial(LinkID)
    /// Screen and input belong to this connection from now on.
    case attach(LinkID, resumed: Bool)
    /// Screen and input belong to no connection.
    case detach(LinkID)
    /// Close the connection; nothing more is heard from it.
    case close(LinkID, CloseCode, detail: String)
    /// Tell the connection that it is in doubt: it probes.
    case observe(LinkID, Evidence.Kind, detail: String)
    /// The session is over: every scene disconnects.
    case endSession(SessionEnd)
    /// For the event log.
    case tell(PhoneNotice)
}

/// What happened to a session, for the event log.
public enum PhoneNotice: Equatable, Sendable {
    /// - Parameter waited: nanoseconds for an answer.
    case late(waited: UInt64)
    case suspected(Evidence)
    /// - Parameter silence: nanoseconds in which nothing was heard.
    case recovered(silence: UInt64)
    case raceStarted
    case raceWon(by: Contestant)
    /// The connection is lost and the session kept.
    /// - Parameter graceNanoseconds: how long.
    case suspended(SessionEnd, graceNanoseconds: UInt64)
    case evidence(Evidence.Kind, detail: String)

    public enum Contestant: String, Hashable, Sendable {
        case old
        case new
    }
}
