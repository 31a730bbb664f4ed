import FasciaLink
import FasciaWire

/// Attempts: how they begin and how they end.
extension PhoneSessionMachine {
    public typealias Reaction = FasciaSession.Reaction<PhoneAction>

    /// Begin to look for the car.
    public mutating func start(now: UInt64) -> Reaction {
        guard case .stopped = state else { return .ignored }
        backoff.reset()
        return .perform(seek(now: now))
    }

    /// A connection is up.
    public mutating func linkUp(_ link: LinkID, _ grant: SessionGrant, now: UInt64) -> Reaction {
        switch state {
        case .stopped: return .perform([.close(link, .goodbye, detail: "the phone has ended the session")])
        case .seeking(.dialing(link)):
            guard !grant.isResumed else {
                return .perform([.close(link, .badMessage, detail: Self.notOffered)] + seek(now: now))
            }
            return .perform([attach(link, grant)])
        case .seeking: return .perform([.close(link, .goodbye, detail: "given up")])
        case .connected(let connection):
            guard connection.race == .dialing(link) || connection.race == .committed(link) || connection.race == .recalling(link) else {
                return link == connection.link ? .ignored : .perform([.close(link, .superseded, detail: "another connection has the session")])
            }
            if grant.isResumed, grant.ticket.session != connection.ticket.session {
                state = .connected(Connection(link: connection.link, ticket: connection.ticket, grace: connection.grace, doubt: connection.doubt, race: nil))
                return .perform([.close(link, .badMessage, detail: Self.notOffered)] + race(now: now))
            }
            let retire = PhoneAction.close(connection.link, .superseded, detail: "a newer connection has the session")
            if grant.isResumed {
                return .perform([.tell(.raceWon(by: .new)), .detach(connection.link), retire, attach(link, grant)])
            }
            return .perform([.detach(connection.link), retire, .endSession(SessionEnd(.replaced)), attach(link, grant)])
        case .suspended(let suspension):
            guard suspension.attempt == .dialing(link) else {
                return .perform([.close(link, .superseded, detail: "another connection has the session")])
            }
            if grant.isResumed {
                guard grant.ticket.session == suspension.ticket.session else {
                    return .perform([.close(link, .badMessage, detail: Self.notOffered)] + pursue(suspension, now: now))
                }
                return .perform([attach(link, grant)])
            }
            return .perform([.endSession(SessionEnd(.replaced)), attach(link, grant)])
        }
    }

    /// The first flight of an attempt has left, with the ticket in it.
    public mutating func flightTaken(_ link: LinkID) -> Reaction {
        guard case .connected(var connection) = state, connection.race == .dialing(link) || connection.race == .recalling(link) else { return .ignored }
        connection.race = .committed(link)
        state = .connected(connection)
        return []
    }

    /// An attempt has stopped before its first flight left, as `recall` asked.
    public mutating func recalled(_ link: LinkID, now: UInt64) -> Reaction {
        switch state {
        case .connected(var connection) where connection.race == .recalling(link):
            connection.race = nil
            state = .connected(connection)
            // In doubt again before the answer came.
            return .perform([.tell(.raceWon(by: .old))] + (connection.doubt == .none ? [] : race(now: now)))
        case .suspended(let suspension) where suspension.attempt == .dialing(link): return .perform(pursue(suspension, now: now, atOnce: true))
        default: return .ignored
        }
    }

    /// An attempt came to nothing.
    public mutating func dialFailed(_ link: LinkID, _ failure: DialFailure, now: UInt64) -> Reaction {
        switch state {
        case .seeking(.dialing(link)): return .perform(seek(now: now))
        case .connected(var connection):
            switch connection.race {
            case .dialing(link), .committed(link), .recalling(link):
                connection.race = nil
                state = .connected(connection)
                return .perform(connection.doubt == .none ? [] : race(now: now))
            default: return .ignored
            }
        case .suspended(let suspension) where suspension.attempt == .dialing(link):
            if case .refused(let code) = failure, code.sessionFate != .kept, code != .superseded, code != .handshakeTimeout {
                return .perform([.endSession(SessionEnd(.refused(code), evidence: suspension.lost.evidence))] + seek(now: now))
            }
            if failure == .notPaired { return .perform([.endSession(SessionEnd(.forgotten, evidence: suspension.lost.evidence))] + seek(now: now)) }
            return .perform(pursue(suspension, now: now))
        default: return .ignored
        }
    }

    /// The car was seen at an address, or a way to it has appeared.
    public mutating func opportunity(now: UInt64) -> Reaction {
        switch state {
        case .seeking(.dialing(let link)): return [.widen(link)]
        case .seeking(.waiting):
            backoff.reset()
            return .perform(seek(now: now))
        case .connected(let connection):
            switch connection.race {
            case .dialing(let link), .committed(let link): return [.widen(link)]
            case .waiting:
                backoff.reset()
                return .perform(race(now: now))
            case .recalling, nil: return .ignored
            }
        case .suspended(let suspension):
            if case .dialing(let link) = suspension.attempt { return [.widen(link)] }
            backoff.reset()
            return .perform(pursue(suspension, now: now))
        case .stopped: return .ignored
        }
    }

    /// The car has shown the phone's picture on this connection: the next loss is worth an attempt at once.
    public mutating func presented(on link: LinkID) -> Reaction {
        guard self.link == link else { return .ignored }
        backoff.reset()
        return []
    }

    static let notOffered = "Welcome.resumed for a session that was not offered"
}

extension PhoneSessionMachine {
    private mutating func attach(_ link: LinkID, _ grant: SessionGrant) -> PhoneAction {
        state = .connected(Connection(link: link, ticket: grant.ticket, grace: grant.grace))
        return .attach(link, resumed: grant.isResumed)
    }

    private mutating func attempt(_ urgency: DialUrgency, now: UInt64, atOnce: Bool) -> (Attempt, [PhoneAction]) {
        let wait = atOnce ? 0 : backoff.next(&generator)
        guard wait == 0 else { return (.waiting(until: now + wait), []) }
        let link = lastLink.advance()
        return (.dialing(link), [.dial(link, urgency)])
    }

    /// No session: the next attempt, now or later.
    mutating func seek(now: UInt64, atOnce: Bool = false) -> [PhoneAction] {
        let (attempt, actions) = attempt(.patient, now: now, atOnce: atOnce)
        state = .seeking(attempt)
        return actions
    }

    /// A session without a connection: the next attempt, now or later.
    mutating func pursue(_ suspension: Suspension, now: UInt64, atOnce: Bool = false) -> [PhoneAction] {
        let (attempt, actions) = attempt(.racing, now: now, atOnce: atOnce)
        state = .suspended(Suspension(ticket: suspension.ticket, graceEnd: suspension.graceEnd, lost: suspension.lost, attempt: attempt))
        return actions
    }

    /// A connection in doubt: the next attempt beside it, now or later.
    mutating func race(now: UInt64, atOnce: Bool = false) -> [PhoneAction] {
        guard case .connected(var connection) = state else { return [] }
        let (attempt, actions) = attempt(.racing, now: now, atOnce: atOnce)
        switch attempt {
        case .dialing(let link): connection.race = .dialing(link)
        case .waiting(let until): connection.race = .waiting(until: until)
        }
        state = .connected(connection)
        return actions.isEmpty ? [] : [.tell(.raceStarted)] + actions
    }
}
