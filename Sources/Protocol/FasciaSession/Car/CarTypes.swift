import FasciaLink
import FasciaWire

/// Names a session and lets its phone resume it; random, made by the caller.
public struct SessionCredentials: Hashable, Sendable {
    /// 16 bytes.
    public let session: [UInt8]
    /// 32 bytes, for the Welcome that is answered now.
    public let token: [UInt8]

    public init(session: [UInt8], token: [UInt8]) {
        self.session = session
        self.token = token
    }
}

/// The answer to a phone's Hello.
public enum CarAnswer: Equatable, Sendable {
    /// A new session.
    case welcome(SessionCredentials)
    /// The session it offered goes on: everything it had is still there.
    case resume(SessionCredentials)
    /// Another connection was welcomed with the same token just now: ask again then, or when that one is gone, if
    /// this one is still there. Nanoseconds.
    case wait(until: UInt64)
    /// An attempt that the same phone has given up since: the session has gone on elsewhere, and stays there.
    case superseded
    /// Another phone has the screen.
    case busy
}

/// What the head unit is to do.
public enum CarAction: Equatable, Sendable {
    /// Screen and input belong to this connection from now on.
    case attach(LinkID, resumed: Bool)
    /// Screen and input belong to no connection; the picture stays as it is.
    case detach(LinkID)
    /// The last picture stays, under a notice.
    case freeze
    /// Close the connection; nothing more is heard from it.
    case close(LinkID, CloseCode, detail: String)
    /// The session is over: the car's own home comes.
    case endSession(SessionEnd, wasConnected: Bool)
    /// The connection is lost and the session kept.
    case suspended(SessionEnd, graceNanoseconds: UInt64)
}
