import FasciaWire

/// What to do with a phone that says Hello.
enum Admission: Equatable {
    case newSession
    /// The same session goes on; a connection it still has is superseded.
    case resume
    /// The same phone starts afresh, or another comes while this one is gone; the old session ends.
    case replace
    /// Another phone has the screen.
    case busy(holder: String)

    /// - Parameters:
    ///   - current: the session that has the screen or waits for its phone, if any.
    ///   - fingerprint: the key of the phone that asks.
    @MainActor
    static func decide(current: PhoneSession?, fingerprint: [UInt8], resume: Resume?) -> Admission {
        guard let current else { return .newSession }
        guard current.peer.fingerprint == fingerprint else { return current.link == nil ? .replace : .busy(holder: current.peer.name) }
        guard let resume, Array(resume.sessionID) == current.id, current.redeem(Array(resume.token)) else { return .replace }
        return .resume
    }
}
