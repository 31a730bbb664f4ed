/// What the next connection needs to go on with a session: the token is good once (spec, R-5).
public struct ResumeTicket: Hashable, Sendable {
    public let session: [UInt8]
    public let token: [UInt8]

    public init(session: [UInt8], token: [UInt8]) {
        self.session = session
        self.token = token
    }
}

/// What a Welcome says about the session.
public struct SessionGrant: Hashable, Sendable {
    /// For the next connection.
    public let ticket: ResumeTicket
    /// The session that the phone offered goes on.
    public let isResumed: Bool
    /// Nanoseconds the session is kept without a connection.
    public let grace: UInt64

    public init(ticket: ResumeTicket, isResumed: Bool, grace: UInt64) {
        self.ticket = ticket
        self.isResumed = isResumed
        self.grace = grace
    }
}
