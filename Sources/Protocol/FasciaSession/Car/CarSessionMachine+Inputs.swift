import FasciaLink
import FasciaWire

extension CarSessionMachine {
    public typealias Reaction = FasciaSession.Reaction<CarAction>

    /// A phone said Hello. After `.welcome` and `.resume`, `linkUp` follows or the connection is lost.
    /// - Parameters:
    ///   - fingerprint: the key of the phone.
    ///   - offer: `Hello.resume`.
    ///   - fresh: random bytes for this answer.
    ///   - presence: made when a session begins.
    public mutating func helloReceived(
        fingerprint: [UInt8], offer: ResumeTicket?, fresh: SessionCredentials, now: UInt64, presence: (SessionCredentials) -> Presence
    ) -> (answer: CarAnswer, actions: [CarAction]) {
        if let holder, holder.fingerprint == fingerprint, let offer, holder.session == offer.session {
            if holder.tokens.isRedeemed(offer.token), let time = holder.tokens.redeemedAt, now < time + Self.patience { return (.wait(until: time + Self.patience), []) }
            if holder.tokens.accepts(offer.token) { return resume(holder, offer, next: fresh.token, now: now) }
            if holder.tokens.isSpent(offer.token) { return (.superseded, []) }
        }
        // Another connection of the race that the session came from: the phone takes one Welcome of it and closes the others.
        if let holder, holder.fingerprint == fingerprint, let origin = holder.origin, origin.offer == offer, now < origin.at + Self.patience {
            return (.wait(until: origin.at + Self.patience), [])
        }
        switch state {
        case .welcomed(let holder, _), .connected(let holder, _), .resuming(let holder, _, _, _):
            if holder.fingerprint != fingerprint { return (.busy, []) }
        case .free, .frozen: break
        }
        let actions = supersede(closing: .replaced, "the phone began a new session")
        let holder = Holder(fingerprint: fingerprint, session: fresh.session, presence: presence(fresh), tokens: ResumeTokens(fresh.token), origin: offer.map { ($0, now) })
        state = .welcomed(holder, until: now + Self.settling)
        return (.welcome(fresh), actions)
    }

    private mutating func resume(_ holder: Holder, _ offer: ResumeTicket, next: [UInt8], now: UInt64) -> (answer: CarAnswer, actions: [CarAction]) {
        var holder = holder
        holder.tokens.redeem(offer.token, next: next, now: now)
        var actions: [CarAction] = []
        switch state {
        case .free: break // has no holder
        case .welcomed: state = .welcomed(holder, until: now + Self.settling)
        case .connected(_, let old):
            actions = [.detach(old), .close(old, .superseded, detail: Self.newer)]
            state = .resuming(holder, until: now + Self.settling, graceEnd: now + grace, lost: nil)
        case .resuming(_, _, let graceEnd, let lost): state = .resuming(holder, until: now + Self.settling, graceEnd: graceEnd, lost: lost)
        case .frozen(_, let graceEnd, let lost): state = .resuming(holder, until: now + Self.settling, graceEnd: graceEnd, lost: lost)
        }
        return (.resume(SessionCredentials(session: holder.session, token: next)), actions)
    }

    /// The connection a Welcome was sent on is up.
    public mutating func linkUp(_ link: LinkID, session: [UInt8], resumed: Bool) -> Reaction {
        guard var holder, holder.session == session else { return .perform([.close(link, .superseded, detail: Self.newer)]) }
        var actions: [CarAction] = []
        if case .connected(_, let old) = state {
            if old == link { return .ignored }
            actions = [.detach(old), .close(old, .superseded, detail: Self.newer)]
        }
        holder.hasConnected = true
        state = .connected(holder, link)
        return .perform(actions + [.attach(link, resumed: resumed)])
    }

    /// The phone has shown that it has the Welcome of this connection.
    public mutating func heard(_ link: LinkID) -> Reaction {
        guard case .connected(var holder, link) = state else { return .ignored }
        holder.tokens.delivered()
        state = .connected(holder, link)
        return []
    }

    /// A connection has ended.
    /// - Parameter hasPicture: there is something to keep for the phone to come back to.
    public mutating func linkClosed(_ link: LinkID, _ closure: LinkClosure, hasPicture: Bool, now: UInt64) -> Reaction {
        guard case .connected(var holder, link) = state else { return .ignored }
        holder.carrierLost()
        let end = SessionEnd(closure)
        if closure.code == .superseded {
            // The phone prefers another connection; this end has not heard of it yet, or closed it for this one.
            state = .resuming(holder, until: now + Self.settling, graceEnd: now + grace, lost: end)
            return [.detach(link)]
        }
        guard closure.code.sessionFate == .kept, hasPicture else { return .perform([.detach(link)] + self.end(end)) }
        state = .frozen(holder, graceEnd: now + grace, lost: end)
        return [.detach(link), .suspended(end, graceNanoseconds: grace), .freeze]
    }

    /// The connection a Welcome was made for is gone: `linkUp` does not follow.
    public mutating func linkFailed(session: [UInt8], now: UInt64) -> Reaction {
        guard var holder, holder.session == session else { return .ignored }
        holder.carrierLost()
        switch state {
        case .welcomed: state = .welcomed(holder, until: now)
        case .resuming(_, _, let graceEnd, let lost): state = .resuming(holder, until: now, graceEnd: graceEnd, lost: lost)
        case .free, .connected, .frozen: return .ignored
        }
        return deadlineReached(now: now)
    }

    /// The phone broke a rule that this end noticed.
    public mutating func violated(_ link: LinkID, _ code: CloseCode, detail: String) -> Reaction {
        guard case .connected(_, link) = state else { return .ignored }
        return .perform([.detach(link), .close(link, code, detail: detail)] + end(SessionEnd(.closed(code), detail: detail)))
    }

    /// A deadline may have passed; harmless when none has.
    public mutating func deadlineReached(now: UInt64) -> Reaction {
        guard let deadline = nextDeadline, now >= deadline else { return .ignored }
        switch state {
        case .free, .connected: return .ignored
        case .welcomed: return .perform(end(SessionEnd(.closed(.transportLost), detail: "the connection ended before it was ready")))
        case .resuming(let holder, _, let graceEnd, let lost):
            let lost = lost ?? SessionEnd(.closed(.transportLost), detail: "the connection that took over ended before it was ready")
            if now >= graceEnd { return .perform(end(SessionEnd(.graceOver, detail: Self.gone, evidence: lost.evidence))) }
            state = .frozen(holder, graceEnd: graceEnd, lost: lost)
            return [.suspended(lost, graceNanoseconds: graceEnd - now), .freeze]
        case .frozen(_, _, let lost): return .perform(end(SessionEnd(.graceOver, detail: Self.gone, evidence: lost.evidence)))
        }
    }

    /// The user has taken a phone's key away.
    public mutating func forgotten(fingerprint: [UInt8]) -> Reaction {
        guard let holder, holder.fingerprint == fingerprint else { return .ignored }
        let detail = "this car has forgotten the phone"
        let close = link.map { [CarAction.detach($0), .close($0, .goodbye, detail: detail)] } ?? []
        return .perform(close + end(SessionEnd(.forgotten, detail: "the phone was forgotten")))
    }

    /// This process ends.
    /// - Parameter detail: for the phone's people.
    public mutating func stop(detail: String) -> Reaction {
        guard holder != nil else { return .ignored }
        let close = link.map { [CarAction.detach($0), .close($0, .shutdown, detail: detail)] } ?? []
        return .perform(close + end(SessionEnd(.stopped, detail: detail)))
    }

    // MARK: -

    private static var newer: String { "a newer connection of the same phone has the session" }
    private static var gone: String { "the phone did not come back in time" }

    private mutating func supersede(closing reason: SessionEnd.Reason, _ detail: String) -> [CarAction] {
        let close = link.map { [CarAction.detach($0), .close($0, .superseded, detail: Self.newer)] } ?? []
        return close + end(SessionEnd(reason, detail: detail))
    }

    private mutating func end(_ end: SessionEnd) -> [CarAction] {
        guard let holder else { return [] }
        state = .free
        return [.endSession(end, wasConnected: holder.hasConnected)]
    }
}
