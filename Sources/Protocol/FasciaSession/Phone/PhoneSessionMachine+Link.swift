import FasciaLink
import FasciaWire

/// What happens to the connection that carries the session, and to the session itself.
extension PhoneSessionMachine {
    /// An answer is overdue.
    /// - Parameter waited: nanoseconds.
    public mutating func linkLate(_ link: LinkID, waited: UInt64 = 0, now: UInt64) -> Reaction { doubted(link, .late, .late(waited: waited), now: now) }

    /// Nothing was heard for the suspect time, or there is evidence against the connection.
    public mutating func linkSuspect(_ link: LinkID, _ evidence: Evidence, now: UInt64) -> Reaction { doubted(link, .suspect, .suspected(evidence), now: now) }

    /// The connection was heard again.
    /// - Parameter silence: nanoseconds without a byte.
    public mutating func linkRecovered(_ link: LinkID, silence: UInt64) -> Reaction {
        guard case .connected(var connection) = state, connection.link == link, connection.doubt != .none else { return .ignored }
        connection.doubt = .none
        backoff.reset()
        var actions = [PhoneAction.tell(.recovered(silence: silence))]
        switch connection.race {
        case .dialing(let attempt):
            connection.race = .recalling(attempt)
            actions.append(.recall(attempt))
        case .waiting: connection.race = nil
        case .recalling, .committed, nil: break
        }
        state = .connected(connection)
        return .perform(actions)
    }

    /// A connection that was up has ended.
    public mutating func linkClosed(_ link: LinkID, _ closure: LinkClosure, now: UInt64) -> Reaction {
        guard case .connected(let connection) = state, connection.link == link else { return .ignored }
        if closure.code.sessionFate == .ends {
            return .perform([.detach(link)] + stopRace(connection) + [.endSession(SessionEnd(closure))] + seek(now: now))
        }
        let lost = SessionEnd(closure)
        var suspension = Suspension(ticket: connection.ticket, graceEnd: now + connection.grace, lost: lost, attempt: .waiting(until: now))
        var actions = [PhoneAction.detach(link)]
        if closure.code != .superseded { actions.append(.tell(.suspended(lost, graceNanoseconds: connection.grace))) }
        switch connection.race {
        case .dialing(let attempt), .recalling(let attempt), .committed(let attempt):
            suspension.attempt = .dialing(attempt)
            state = .suspended(suspension)
        case .waiting(let until):
            suspension.attempt = .waiting(until: until)
            state = .suspended(suspension)
        case nil:
            actions += pursue(suspension, now: now)
        }
        return .perform(actions)
    }

    /// Something outside the connection speaks against it: carrier, discovery, power.
    public mutating func evidence(_ kind: Evidence.Kind, detail: String = "", now: UInt64) -> Reaction {
        guard case .connected(var connection) = state else { return .ignored }
        var actions = [PhoneAction.tell(.evidence(kind, detail: detail)), .observe(connection.link, kind, detail: detail)]
        connection.doubt = .suspect
        state = .connected(connection)
        if connection.race == nil { actions += race(now: now) }
        return .perform(actions)
    }

    /// A deadline may have passed; harmless when none has.
    public mutating func deadlineReached(now: UInt64) -> Reaction {
        guard let deadline = nextDeadline, now >= deadline else { return .ignored }
        switch state {
        case .stopped, .seeking(.dialing): return .ignored
        case .seeking(.waiting): return .perform(seek(now: now, atOnce: true))
        case .connected: return .perform(race(now: now, atOnce: true))
        case .suspended(let suspension):
            guard now >= suspension.graceEnd else { return .perform(pursue(suspension, now: now, atOnce: true)) }
            let end = SessionEnd(.graceOver, detail: "the car did not come back in time", evidence: suspension.lost.evidence)
            // What is on its way offers the session that is over.
            return .perform(stop(suspension.attempt) + [.endSession(end)] + seek(now: now))
        }
    }

    /// The user has taken the car's key away.
    public mutating func forgotten(now: UInt64) -> Reaction {
        guard hasSession else { return .ignored }
        return .perform(leave(SessionEnd(.forgotten, detail: "the car was forgotten"), detail: "this phone has forgotten the car") + seek(now: now))
    }

    /// This process ends.
    /// - Parameter detail: for the car's people.
    public mutating func stop(detail: String) -> Reaction {
        if case .stopped = state { return .ignored }
        defer { state = .stopped }
        return .perform(leave(SessionEnd(.stopped), detail: detail))
    }
}

extension PhoneSessionMachine {
    private mutating func doubted(_ link: LinkID, _ doubt: Doubt, _ notice: PhoneNotice, now: UInt64) -> Reaction {
        guard case .connected(var connection) = state, connection.link == link else { return .ignored }
        if connection.doubt != .suspect { connection.doubt = doubt }
        state = .connected(connection)
        return .perform([.tell(notice)] + (connection.race == nil ? race(now: now) : []))
    }

    /// Says goodbye to whatever there is.
    private func leave(_ end: SessionEnd, detail: String) -> [PhoneAction] {
        switch state {
        case .stopped: []
        case .seeking(let attempt): stop(attempt)
        case .connected(let connection):
            stopRace(connection) + [.detach(connection.link), .close(connection.link, .goodbye, detail: detail), .endSession(end)]
        case .suspended(let suspension): stop(suspension.attempt) + [.endSession(end)]
        }
    }

    private func stopRace(_ connection: Connection) -> [PhoneAction] {
        switch connection.race {
        case .dialing(let link), .recalling(let link), .committed(let link): [.stopDial(link)]
        case .waiting, nil: []
        }
    }

    private func stop(_ attempt: Attempt) -> [PhoneAction] {
        if case .dialing(let link) = attempt { [.stopDial(link)] } else { [] }
    }
}
