import FasciaLink
import FasciaWire
import Testing

@testable import FasciaSession

/// Each input in each state, one line a step. Times are in milliseconds here, and the back-off waits nothing at first, then 50 ms or less.
@Suite struct PhoneSessionTests {
    typealias Machine = PhoneSessionMachine

    static let ms: UInt64 = 1_000_000
    static let ticket = ResumeTicket(session: [1], token: [1]), next = ResumeTicket(session: [1], token: [2]), other = ResumeTicket(session: [9], token: [9])
    static let fresh = SessionGrant(ticket: ticket, isResumed: false, grace: 10_000 * ms)
    static let resumed = SessionGrant(ticket: next, isResumed: true, grace: 10_000 * ms)
    static let another = SessionGrant(ticket: other, isResumed: false, grace: 10_000 * ms)
    static let impostor = SessionGrant(ticket: other, isResumed: true, grace: 10_000 * ms)
    static let silence = Evidence(.silence, at: 0)
    static let lost = LinkClosure(code: .transportLost, initiator: .transport, detail: "", evidence: [Evidence(.reset, at: 0)])
    static let goodbye = LinkClosure(code: .goodbye, initiator: .remote, detail: "bye", evidence: [Evidence(.goodbye, at: 0)])
    static let superseded = LinkClosure(code: .superseded, initiator: .remote, detail: "", evidence: [Evidence(.goodbye, at: 0)])

    static func seeking() -> Machine {
        var machine = Machine(generator: SeededGenerator(seed: 1))
        _ = machine.start(now: 0)
        return machine
    }
    static func waiting() -> Machine {
        var machine = seeking()
        _ = machine.dialFailed(1, .unreachable, now: 0)
        return machine
    }
    static func connected() -> Machine {
        var machine = seeking()
        _ = machine.linkUp(1, fresh, now: 0)
        _ = machine.presented(on: 1)
        return machine
    }
    static func racing() -> Machine {
        var machine = connected()
        _ = machine.linkLate(1, now: 0)
        return machine
    }
    static func committed() -> Machine {
        var machine = racing()
        _ = machine.flightTaken(2)
        return machine
    }
    static func recalling() -> Machine {
        var machine = racing()
        _ = machine.linkRecovered(1, silence: 5)
        return machine
    }
    static func raceWaiting() -> Machine {
        var machine = racing()
        _ = machine.dialFailed(2, .unreachable, now: 0)
        return machine
    }
    static func suspended() -> Machine {
        var machine = connected()
        _ = machine.linkClosed(1, lost, now: 0)
        return machine
    }
    static func suspendedWaiting() -> Machine {
        var machine = suspended()
        _ = machine.dialFailed(2, .unreachable, now: 0)
        return machine
    }

    private func expect(_ machine: Machine, _ input: (inout Machine) -> Machine.Reaction, _ reaction: Machine.Reaction, line: SourceLocation = #_sourceLocation) {
        var machine = machine
        #expect(input(&machine) == reaction, sourceLocation: line)
    }

    // MARK: Ways through

    @Test func connectsAndEnds() {
        var m = Machine(generator: SeededGenerator(seed: 1))
        #expect(m.start(now: 0) == [.dial(1, .patient)])
        #expect(m.ticket == nil && !m.hasSession)
        #expect(m.linkUp(1, Self.fresh, now: 0) == [.attach(1, resumed: false)])
        #expect(m.ticket == Self.ticket && m.link == 1 && m.nextDeadline == nil)
        #expect(m.linkClosed(1, Self.goodbye, now: 0) == [.detach(1), .endSession(SessionEnd(Self.goodbye))])
        #expect(m.nextDeadline != nil)
    }

    @Test func oldConnectionHeardAgainWinsTheRaceWhileTheTokenIsUnspent() {
        var m = Self.connected()
        #expect(m.linkLate(1, now: 0) == [.tell(.late(waited: 0)), .tell(.raceStarted), .dial(2, .racing)])
        #expect(m.linkSuspect(1, Self.silence, now: 1) == [.tell(.suspected(Self.silence))])
        #expect(m.linkRecovered(1, silence: 9) == [.tell(.recovered(silence: 9)), .recall(2)])
        #expect(m.recalled(2, now: 2) == [.tell(.raceWon(by: .old))])
        #expect(m.link == 1 && m.ticket == Self.ticket)
        #expect(m.linkLate(1, now: 3) == [.tell(.late(waited: 0)), .tell(.raceStarted), .dial(3, .racing)])
    }

    @Test func newConnectionUpFirstWinsAndTheOldOneGoesQuietly() {
        var m = Self.racing()
        #expect(m.flightTaken(2) == [])
        #expect(m.linkUp(2, Self.resumed, now: 1) == [.tell(.raceWon(by: .new)), .detach(1), .close(1, .superseded, detail: "a newer connection has the session"), .attach(2, resumed: true)])
        #expect(m.link == 2 && m.ticket == Self.next)
        #expect(m.linkClosed(1, Self.superseded, now: 2) == .ignored)
    }

    @Test func spentTokenIsNotRecalled() {
        var m = Self.committed()
        #expect(m.linkRecovered(1, silence: 9) == [.tell(.recovered(silence: 9))])
        #expect(m.linkClosed(1, Self.superseded, now: 1) == [.detach(1)])
        #expect(m.linkUp(2, Self.resumed, now: 2) == [.attach(2, resumed: true)])
    }

    @Test func flightLeftBeforeItCouldBeRecalled() {
        var m = Self.recalling()
        #expect(m.flightTaken(2) == [])
        #expect(m.linkUp(2, Self.resumed, now: 2).actions.last == .attach(2, resumed: true))
    }

    @Test func inDoubtAgainBeforeTheRecallWasAnswered() {
        var m = Self.recalling()
        #expect(m.linkLate(1, now: 1) == [.tell(.late(waited: 0))])
        #expect(m.recalled(2, now: 1) == [.tell(.raceWon(by: .old)), .tell(.raceStarted), .dial(3, .racing)])
    }

    @Test func lostConnectionIsResumedWithinTheGraceTime() {
        var m = Self.connected()
        #expect(m.linkClosed(1, Self.lost, now: 5) == [.detach(1), .tell(.suspended(SessionEnd(Self.lost), graceNanoseconds: 10_000 * Self.ms)), .dial(2, .racing)])
        #expect(m.hasSession && m.link == nil && m.nextDeadline == 5 + 10_000 * Self.ms)
        #expect(m.linkUp(2, Self.resumed, now: 6) == [.attach(2, resumed: true)])
    }

    @Test func raceGoesOnWhenTheOldConnectionDies() {
        var m = Self.racing()
        #expect(m.linkClosed(1, Self.lost, now: 5).actions == [.detach(1), .tell(.suspended(SessionEnd(Self.lost), graceNanoseconds: 10_000 * Self.ms))])
        #expect(m.linkUp(2, Self.resumed, now: 6) == [.attach(2, resumed: true)])
    }

    @Test func graceTimeOverEndsTheSessionOnce() {
        var m = Self.suspended()
        #expect(m.deadlineReached(now: 9_999 * Self.ms) == .ignored)
        let end = SessionEnd(.graceOver, detail: "the car did not come back in time", evidence: Self.lost.evidence)
        let reaction = m.deadlineReached(now: 10_000 * Self.ms)
        #expect(reaction.actions.prefix(2) == [.stopDial(2), .endSession(end)])
        #expect(!m.hasSession)
        #expect(m.linkUp(2, Self.resumed, now: 10_001 * Self.ms) == [.close(2, .goodbye, detail: "given up")])
    }

    @Test func carThatKnowsNothingOfTheSessionBeginsAnother() {
        var m = Self.suspended()
        #expect(m.linkUp(2, Self.another, now: 1) == [.endSession(SessionEnd(.replaced)), .attach(2, resumed: false)])
        #expect(m.ticket == Self.other)
        m = Self.committed()
        #expect(m.linkUp(2, Self.another, now: 1) == [.detach(1), .close(1, .superseded, detail: "a newer connection has the session"), .endSession(SessionEnd(.replaced)), .attach(2, resumed: false)])
    }

    @Test func peerThatAcceptsAndSaysNothingIsTriedSlowerAndSlower() {
        var m = Self.seeking()
        var now: UInt64 = 0, attempts = 0
        var link: LinkID = 1
        while now < 60_000 * Self.ms {
            _ = m.dialFailed(link, .silent, now: now)
            now = m.nextDeadline ?? now
            if let next = m.deadlineReached(now: now).actions.compactMap({ if case .dial(let link, _) = $0 { link } else { nil } }).first { link = next }
            attempts += 1
        }
        #expect((30...70).contains(attempts))
    }

    // MARK: Each input in each state

    @Test func start() {
        expect(Machine(generator: SeededGenerator(seed: 1)), { $0.start(now: 0) }, [.dial(1, .patient)])
        for machine in [Self.seeking(), Self.waiting(), Self.connected(), Self.racing(), Self.suspended()] { expect(machine, { $0.start(now: 0) }, .ignored) }
    }

    @Test func linkUpOfAnotherLink() {
        expect(Machine(generator: SeededGenerator(seed: 1)), { $0.linkUp(9, Self.fresh, now: 0) }, [.close(9, .goodbye, detail: "the phone has ended the session")])
        for machine in [Self.seeking(), Self.waiting()] { expect(machine, { $0.linkUp(9, Self.fresh, now: 0) }, [.close(9, .goodbye, detail: "given up")]) }
        for machine in [Self.connected(), Self.racing(), Self.committed(), Self.raceWaiting(), Self.suspended(), Self.suspendedWaiting()] {
            expect(machine, { $0.linkUp(9, Self.resumed, now: 0) }, [.close(9, .superseded, detail: "another connection has the session")])
        }
        expect(Self.connected(), { $0.linkUp(1, Self.fresh, now: 0) }, .ignored)
    }

    @Test func resumedThoughNotOffered() {
        let close = PhoneAction.close(1, .badMessage, detail: Machine.notOffered), second = PhoneAction.close(2, .badMessage, detail: Machine.notOffered)
        var m = Self.seeking()
        #expect(m.linkUp(1, Self.impostor, now: 0) == [close])
        #expect(!m.hasSession && m.nextDeadline != nil)
        m = Self.committed()
        #expect(m.linkUp(2, Self.impostor, now: 0).actions.first == second)
        #expect(m.link == 1)
        m = Self.suspended()
        #expect(m.linkUp(2, Self.impostor, now: 0).actions.first == second)
        #expect(m.ticket == Self.ticket)
    }

    @Test func doubt() {
        for machine in [Machine(generator: SeededGenerator(seed: 1)), Self.seeking(), Self.waiting(), Self.suspended(), Self.suspendedWaiting()] {
            expect(machine, { $0.linkLate(1, now: 0) }, .ignored)
            expect(machine, { $0.linkSuspect(1, Self.silence, now: 0) }, .ignored)
            expect(machine, { $0.linkRecovered(1, silence: 0) }, .ignored)
            expect(machine, { $0.evidence(.carrierLost, now: 0) }, .ignored)
            expect(machine, { $0.presented(on: 1) }, .ignored)
        }
        expect(Self.connected(), { $0.linkLate(7, now: 0) }, .ignored)
        expect(Self.connected(), { $0.linkSuspect(1, Self.silence, now: 0) }, [.tell(.suspected(Self.silence)), .tell(.raceStarted), .dial(2, .racing)])
        expect(Self.connected(), { $0.linkRecovered(1, silence: 0) }, .ignored)
        expect(Self.connected(), { $0.evidence(.carrierLost, detail: "wlan0", now: 0) },
               [.tell(.evidence(.carrierLost, detail: "wlan0")), .observe(1, .carrierLost, detail: "wlan0"), .tell(.raceStarted), .dial(2, .racing)])
        expect(Self.racing(), { $0.evidence(.mdnsGoodbye, now: 0) }, [.tell(.evidence(.mdnsGoodbye, detail: "")), .observe(1, .mdnsGoodbye, detail: "")])
        expect(Self.raceWaiting(), { $0.linkRecovered(1, silence: 3) }, [.tell(.recovered(silence: 3))])
    }

    @Test func flightTakenAndRecalled() {
        for machine in [Machine(generator: SeededGenerator(seed: 1)), Self.seeking(), Self.waiting(), Self.connected(), Self.raceWaiting(), Self.suspended(), Self.suspendedWaiting()] {
            expect(machine, { $0.flightTaken(2) }, .ignored)
        }
        for machine in [Self.seeking(), Self.connected(), Self.racing(), Self.committed(), Self.suspendedWaiting()] { expect(machine, { $0.recalled(2, now: 0) }, .ignored) }
        var m = Self.recalling()
        _ = m.linkClosed(1, Self.lost, now: 0)
        #expect(m.recalled(2, now: 0) == [.dial(3, .racing)])
    }

    @Test func dialFails() {
        expect(Machine(generator: SeededGenerator(seed: 1)), { $0.dialFailed(1, .silent, now: 0) }, .ignored)
        for machine in [Self.connected(), Self.waiting(), Self.raceWaiting(), Self.suspendedWaiting()] { expect(machine, { $0.dialFailed(1, .silent, now: 0) }, .ignored) }
        var m = Self.seeking()
        #expect(m.dialFailed(1, .unreachable, now: 0) == [])
        let until = m.nextDeadline ?? 0
        #expect((25 * Self.ms...50 * Self.ms).contains(until))
        #expect(m.deadlineReached(now: until - 1) == .ignored)
        #expect(m.deadlineReached(now: until) == [.dial(2, .patient)])
        m = Self.raceWaiting()
        #expect(m.deadlineReached(now: m.nextDeadline ?? 0) == [.tell(.raceStarted), .dial(3, .racing)])
        m = Self.suspendedWaiting()
        #expect(m.deadlineReached(now: m.nextDeadline ?? 0) == [.dial(3, .racing)])
        expect(Self.recalling(), { $0.dialFailed(2, .silent, now: 0) }, [])
    }

    @Test func carThatRefusesASuspendedSessionHasEndedIt() {
        for code in [CloseCode.busy, .goodbye, .shutdown, .internalError] {
            expect(Self.suspended(), { $0.dialFailed(2, .refused(code), now: 0) }, [.endSession(SessionEnd(.refused(code), evidence: Self.lost.evidence))])
        }
        expect(Self.suspended(), { $0.dialFailed(2, .notPaired, now: 0) }, [.endSession(SessionEnd(.forgotten, evidence: Self.lost.evidence))])
        for code in [CloseCode.superseded, .handshakeTimeout, .timeout, .transportLost] { expect(Self.suspended(), { $0.dialFailed(2, .refused(code), now: 0) }, []) }
    }

    @Test func opportunities() {
        expect(Machine(generator: SeededGenerator(seed: 1)), { $0.opportunity(now: 0) }, .ignored)
        expect(Self.seeking(), { $0.opportunity(now: 0) }, [.widen(1)])
        expect(Self.waiting(), { $0.opportunity(now: 0) }, [.dial(2, .patient)])
        expect(Self.connected(), { $0.opportunity(now: 0) }, .ignored)
        expect(Self.racing(), { $0.opportunity(now: 0) }, [.widen(2)])
        expect(Self.committed(), { $0.opportunity(now: 0) }, [.widen(2)])
        expect(Self.recalling(), { $0.opportunity(now: 0) }, .ignored)
        expect(Self.raceWaiting(), { $0.opportunity(now: 0) }, [.tell(.raceStarted), .dial(3, .racing)])
        expect(Self.suspended(), { $0.opportunity(now: 0) }, [.widen(2)])
        expect(Self.suspendedWaiting(), { $0.opportunity(now: 0) }, [.dial(3, .racing)])
    }

    @Test func closedForGood() {
        expect(Self.connected(), { $0.linkClosed(9, Self.goodbye, now: 0) }, .ignored)
        for machine in [Self.seeking(), Self.suspended()] { expect(machine, { $0.linkClosed(1, Self.goodbye, now: 0) }, .ignored) }
        expect(Self.racing(), { $0.linkClosed(1, Self.goodbye, now: 0) }, [.detach(1), .stopDial(2), .endSession(SessionEnd(Self.goodbye))])
        var m = Self.raceWaiting()
        #expect(m.linkClosed(1, Self.lost, now: 0).actions.first == .detach(1))
        #expect(m.nextDeadline.map { $0 <= 50 * Self.ms } == true)
    }

    @Test func supersededBySomethingElseIsTakenBack() {
        expect(Self.connected(), { $0.linkClosed(1, Self.superseded, now: 0) }, [.detach(1), .dial(2, .racing)])
    }

    @Test func forgotten() {
        let end = PhoneAction.endSession(SessionEnd(.forgotten, detail: "the car was forgotten"))
        let close = PhoneAction.close(1, .goodbye, detail: "this phone has forgotten the car")
        for machine in [Machine(generator: SeededGenerator(seed: 1)), Self.seeking(), Self.waiting()] { expect(machine, { $0.forgotten(now: 0) }, .ignored) }
        expect(Self.connected(), { $0.forgotten(now: 0) }, [.detach(1), close, end, .dial(2, .patient)])
        expect(Self.racing(), { $0.forgotten(now: 0) }, [.stopDial(2), .detach(1), close, end])
        expect(Self.suspended(), { $0.forgotten(now: 0) }, [.stopDial(2), end])
    }

    @Test func stops() {
        let end = PhoneAction.endSession(SessionEnd(.stopped)), close = PhoneAction.close(1, .goodbye, detail: "bye")
        expect(Machine(generator: SeededGenerator(seed: 1)), { $0.stop(detail: "bye") }, .ignored)
        expect(Self.seeking(), { $0.stop(detail: "bye") }, [.stopDial(1)])
        expect(Self.waiting(), { $0.stop(detail: "bye") }, [])
        expect(Self.connected(), { $0.stop(detail: "bye") }, [.detach(1), close, end])
        expect(Self.committed(), { $0.stop(detail: "bye") }, [.stopDial(2), .detach(1), close, end])
        expect(Self.suspended(), { $0.stop(detail: "bye") }, [.stopDial(2), end])
        expect(Self.suspendedWaiting(), { $0.stop(detail: "bye") }, [end])
    }
}
