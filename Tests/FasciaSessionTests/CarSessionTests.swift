import FasciaLink
import FasciaWire
import Testing

@testable import FasciaSession

@Suite struct CarSessionTests {
    typealias Machine = CarSessionMachine<Int>

    static let ms: UInt64 = 1_000_000
    static let phone: [UInt8] = [0xA], stranger: [UInt8] = [0xB]
    static let lost = LinkClosure(code: .timeout, initiator: .transport, detail: "", evidence: [Evidence(.probeTimeout, at: 0)])
    static let goodbye = LinkClosure(code: .goodbye, initiator: .remote, detail: "bye", evidence: [Evidence(.goodbye, at: 0)])
    static let newer = "a newer connection of the same phone has the session"
    static func credentials(_ n: UInt8) -> SessionCredentials { SessionCredentials(session: [n], token: [n, n]) }
    static func ticket(_ session: UInt8, _ token: UInt8) -> ResumeTicket { ResumeTicket(session: [session], token: [token, token]) }

    static func free() -> Machine { Machine(grace: 10_000 * ms) }
    static func hello(_ machine: inout Machine, _ fingerprint: [UInt8] = phone, _ offer: ResumeTicket? = nil, fresh: UInt8, now: UInt64 = 0) -> (CarAnswer, [CarAction]) {
        let result = machine.helloReceived(fingerprint: fingerprint, offer: offer, fresh: credentials(fresh), now: now) { Int($0.session.first ?? 0) }
        return (result.answer, result.actions)
    }
    static func welcomed() -> Machine {
        var machine = free()
        _ = hello(&machine, fresh: 1)
        return machine
    }
    static func connected() -> Machine {
        var machine = welcomed()
        _ = machine.linkUp(1, session: [1], resumed: false)
        return machine
    }
    static func resuming() -> Machine {
        var machine = connected()
        _ = hello(&machine, phone, ticket(1, 1), fresh: 2)
        return machine
    }
    static func frozen() -> Machine {
        var machine = connected()
        _ = machine.linkClosed(1, lost, hasPicture: true, now: 0)
        return machine
    }
    static let all: [@Sendable () -> Machine] = [free, welcomed, connected, resuming, frozen]

    private func expect(_ machine: Machine, _ input: (inout Machine) -> Machine.Reaction, _ reaction: Machine.Reaction, line: SourceLocation = #_sourceLocation) {
        var machine = machine
        #expect(input(&machine) == reaction, sourceLocation: line)
    }

    private func expectHello(
        _ machine: Machine, from fingerprint: [UInt8] = phone, offering offer: ResumeTicket? = nil, _ answer: CarAnswer, _ actions: [CarAction] = [], line: SourceLocation = #_sourceLocation
    ) {
        var machine = machine
        let result = Self.hello(&machine, fingerprint, offer, fresh: 3)
        #expect(result.0 == answer, sourceLocation: line)
        #expect(result.1 == actions, sourceLocation: line)
    }

    /// A race after the grace period: all its connections offer what is over, and one of them begins the session.
    @Test func raceThatOffersADeadSessionBeginsOne() {
        let dead = Self.ticket(9, 9)
        var machine = Self.free()
        #expect(Self.hello(&machine, Self.phone, dead, fresh: 1, now: 5).0 == .welcome(Self.credentials(1)))
        #expect(Self.hello(&machine, Self.phone, dead, fresh: 2, now: 6).0 == .wait(until: 5 + Machine.patience))
        _ = machine.linkUp(1, session: [1], resumed: false)
        #expect(Self.hello(&machine, Self.phone, dead, fresh: 2, now: 7).0 == .wait(until: 5 + Machine.patience))
        #expect(machine.holder?.session == [1])
        #expect(Self.hello(&machine, Self.phone, Self.ticket(8, 8), fresh: 2, now: 7).0 == .welcome(Self.credentials(2))) // not of that race
        // Still there: the phone got no Welcome on the first.
        #expect(Self.hello(&machine, Self.phone, dead, fresh: 3, now: 7 + Machine.patience).0 == .welcome(Self.credentials(3)))
    }

    @Test func helloInEachState() {
        let ended = CarAction.endSession(SessionEnd(.replaced, detail: "the phone began a new session"), wasConnected: true)
        let begun = CarAction.endSession(SessionEnd(.replaced, detail: "the phone began a new session"), wasConnected: false)
        let resume = CarAnswer.resume(SessionCredentials(session: [1], token: [3, 3]))
        expectHello(Self.free(), .welcome(Self.credentials(3)))
        expectHello(Self.free(), from: Self.phone, offering: Self.ticket(1, 1), .welcome(Self.credentials(3)))
        expectHello(Self.welcomed(), .welcome(Self.credentials(3)), [begun])
        expectHello(Self.welcomed(), from: Self.stranger, .busy)
        expectHello(Self.welcomed(), from: Self.phone, offering: Self.ticket(1, 1), resume)
        expectHello(Self.connected(), .welcome(Self.credentials(3)), [.detach(1), .close(1, .superseded, detail: Self.newer), ended])
        expectHello(Self.connected(), from: Self.stranger, .busy)
        expectHello(Self.connected(), from: Self.stranger, offering: Self.ticket(1, 1), .busy)
        expectHello(Self.connected(), from: Self.phone, offering: Self.ticket(1, 1), resume, [.detach(1), .close(1, .superseded, detail: Self.newer)])
        expectHello(Self.connected(), from: Self.phone, offering: Self.ticket(1, 7), .welcome(Self.credentials(3)), [.detach(1), .close(1, .superseded, detail: Self.newer), ended])
        expectHello(Self.connected(), from: Self.phone, offering: Self.ticket(7, 1), .welcome(Self.credentials(3)), [.detach(1), .close(1, .superseded, detail: Self.newer), ended])
        expectHello(Self.resuming(), from: Self.stranger, .busy)
        expectHello(Self.resuming(), from: Self.phone, offering: Self.ticket(1, 2), resume)
        expectHello(Self.frozen(), from: Self.stranger, .welcome(Self.credentials(3)), [ended])
        expectHello(Self.frozen(), from: Self.stranger, offering: Self.ticket(1, 1), .welcome(Self.credentials(3)), [ended])
        expectHello(Self.frozen(), from: Self.phone, offering: Self.ticket(1, 1), resume)
    }

    @Test func tokenIsGoodOnceUnlessItsWelcomeWasLost() {
        let later = Machine.patience
        var m = Self.resuming()
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 4, now: later).0 == .resume(SessionCredentials(session: [1], token: [4, 4])), "the Welcome with token 2 was lost")
        #expect(m.linkUp(5, session: [1], resumed: true) == [.attach(5, resumed: true)])
        #expect(m.heard(5) == [])
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 6, now: 9 * later).0 == .superseded, "an attempt that was given up")
        #expect(m.link == 5)
        m = Self.resuming()
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 2), fresh: 7).0 == .resume(SessionCredentials(session: [1], token: [7, 7])))
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 8, now: 9 * later).0 == .superseded, "a newer token was used since")
    }

    @Test func connectionsOfOneAttemptWaitForTheFirstOfThem() {
        var m = Self.resuming()
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 3, now: 5).0 == .wait(until: Machine.patience))
        #expect(m.linkUp(2, session: [1], resumed: true) == [.attach(2, resumed: true)])
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 3, now: 5).0 == .wait(until: Machine.patience))
        #expect(m.link == 2)
        // Whichever Welcome the phone got, its token counts.
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 3, now: Machine.patience).0 == .resume(SessionCredentials(session: [1], token: [3, 3])))
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 2), fresh: 4, now: Machine.patience).0 == .resume(SessionCredentials(session: [1], token: [4, 4])))
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 3), fresh: 5, now: Machine.patience).0 == .superseded)
    }

    /// The phone has broken the first connection off and carries on with the second.
    @Test func nobodyWaitsForAConnectionThatIsGone() {
        var m = Self.resuming()
        _ = m.linkUp(2, session: [1], resumed: true)
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 3, now: 5).0 == .wait(until: Machine.patience))
        _ = m.linkClosed(2, Self.lost, hasPicture: true, now: 6)
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 3, now: 6).0 == .resume(SessionCredentials(session: [1], token: [3, 3])))
        // And before it was up.
        m = Self.resuming()
        #expect(m.linkFailed(session: [1], now: 5).actions.contains(.freeze))
        #expect(Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 3, now: 5).0 == .resume(SessionCredentials(session: [1], token: [3, 3])))
        m = Self.welcomed()
        #expect(m.linkFailed(session: [1], now: 5) == [.endSession(SessionEnd(.closed(.transportLost), detail: "the connection ended before it was ready"), wasConnected: false)])
        #expect(m.linkFailed(session: [1], now: 5) == .ignored)
        m = Self.connected()
        #expect(m.linkFailed(session: [1], now: 5) == .ignored)
    }

    @Test func linkUpInEachState() {
        let late = CarAction.close(9, .superseded, detail: Self.newer)
        expect(Self.free(), { $0.linkUp(9, session: [1], resumed: false) }, [late])
        for state in Self.all { expect(state(), { $0.linkUp(9, session: [7], resumed: false) }, [late]) }
        expect(Self.welcomed(), { $0.linkUp(2, session: [1], resumed: false) }, [.attach(2, resumed: false)])
        expect(Self.connected(), { $0.linkUp(1, session: [1], resumed: false) }, .ignored)
        expect(Self.connected(), { $0.linkUp(2, session: [1], resumed: true) }, [.detach(1), .close(1, .superseded, detail: Self.newer), .attach(2, resumed: true)])
        expect(Self.resuming(), { $0.linkUp(2, session: [1], resumed: true) }, [.attach(2, resumed: true)])
        expect(Self.frozen(), { $0.linkUp(2, session: [1], resumed: true) }, [.attach(2, resumed: true)])
    }

    @Test func linkClosedInEachState() {
        for state in [Self.free, Self.welcomed, Self.resuming, Self.frozen] {
            expect(state(), { $0.linkClosed(1, Self.lost, hasPicture: true, now: 0) }, .ignored)
            expect(state(), { $0.violated(1, .badCommit, detail: "") }, .ignored)
            expect(state(), { $0.heard(1) }, .ignored)
        }
        expect(Self.connected(), { $0.linkClosed(9, Self.lost, hasPicture: true, now: 0) }, .ignored)
        expect(Self.connected(), { $0.linkClosed(1, Self.lost, hasPicture: true, now: 0) }, [.detach(1), .suspended(SessionEnd(Self.lost), graceNanoseconds: 10_000 * Self.ms), .freeze])
        expect(Self.connected(), { $0.linkClosed(1, Self.lost, hasPicture: false, now: 0) }, [.detach(1), .endSession(SessionEnd(Self.lost), wasConnected: true)])
        expect(Self.connected(), { $0.linkClosed(1, Self.goodbye, hasPicture: true, now: 0) }, [.detach(1), .endSession(SessionEnd(Self.goodbye), wasConnected: true)])
        var m = Self.connected()
        let quiet = LinkClosure(code: .superseded, initiator: .remote, detail: "", evidence: [])
        #expect(m.linkClosed(1, quiet, hasPicture: true, now: 0) == [.detach(1)])
        #expect(!m.isFrozen && m.nextDeadline == Machine.settling)
        expect(Self.connected(), { $0.violated(1, .badCommit, detail: "x") },
               [.detach(1), .close(1, .badCommit, detail: "x"), .endSession(SessionEnd(.closed(.badCommit), detail: "x"), wasConnected: true)])
    }

    @Test func deadlines() {
        for state in [Self.free, Self.connected] {
            #expect(state().nextDeadline == nil)
            expect(state(), { $0.deadlineReached(now: .max) }, .ignored)
        }
        #expect(Self.welcomed().nextDeadline == Machine.settling)
        #expect(Self.frozen().nextDeadline == 10_000 * Self.ms)
        expect(Self.welcomed(), { $0.deadlineReached(now: Machine.settling - 1) }, .ignored)
        expect(Self.welcomed(), { $0.deadlineReached(now: Machine.settling) }, [.endSession(SessionEnd(.closed(.transportLost), detail: "the connection ended before it was ready"), wasConnected: false)])
        expect(Self.frozen(), { $0.deadlineReached(now: 10_000 * Self.ms) },
               [.endSession(SessionEnd(.graceOver, detail: "the phone did not come back in time", evidence: Self.lost.evidence), wasConnected: true)])
    }

    @Test func resumptionThatDoesNotComeUpIsALoss() {
        var m = Self.resuming()
        #expect(!m.isFrozen)
        let reaction = m.deadlineReached(now: Machine.settling)
        #expect(reaction.actions.last == .freeze && m.isFrozen)
        #expect(m.nextDeadline == 10_000 * Self.ms)
    }

    @Test func frozenSessionThatTriesToResumeKeepsItsGraceTime() {
        var m = Self.frozen()
        _ = Self.hello(&m, Self.phone, Self.ticket(1, 1), fresh: 2, now: 9_500 * Self.ms)
        #expect(m.deadlineReached(now: 10_400 * Self.ms) == .ignored)
        #expect(m.deadlineReached(now: 10_500 * Self.ms).actions == [.endSession(SessionEnd(.graceOver, detail: "the phone did not come back in time", evidence: Self.lost.evidence), wasConnected: true)])
    }

    @Test func forgottenAndStopped() {
        let forgotten = SessionEnd(.forgotten, detail: "the phone was forgotten"), stopped = SessionEnd(.stopped, detail: "bye")
        expect(Self.free(), { $0.forgotten(fingerprint: Self.phone) }, .ignored)
        expect(Self.free(), { $0.stop(detail: "bye") }, .ignored)
        for state in Self.all { expect(state(), { $0.forgotten(fingerprint: Self.stranger) }, .ignored) }
        expect(Self.connected(), { $0.forgotten(fingerprint: Self.phone) },
               [.detach(1), .close(1, .goodbye, detail: "this car has forgotten the phone"), .endSession(forgotten, wasConnected: true)])
        expect(Self.connected(), { $0.stop(detail: "bye") }, [.detach(1), .close(1, .shutdown, detail: "bye"), .endSession(stopped, wasConnected: true)])
        for state in [Self.resuming, Self.frozen] {
            expect(state(), { $0.forgotten(fingerprint: Self.phone) }, [.endSession(forgotten, wasConnected: true)])
            expect(state(), { $0.stop(detail: "bye") }, [.endSession(stopped, wasConnected: true)])
        }
        expect(Self.welcomed(), { $0.stop(detail: "bye") }, [.endSession(stopped, wasConnected: false)])
    }
}
