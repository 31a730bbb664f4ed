import FasciaResources
import FasciaWire
import Testing

/// The phone's side: what states mean, when requests go out, what a cut and a hostile car do.
@Suite struct MirrorTests {
    private var mirror = ResourceMirror()
    private var arbiter = ResourceArbiter()

    private mutating func begin() { #expect(mirror.connected(governed: true, resumed: false) == []); hear(arbiter.phoneConnected()) }

    @discardableResult
    private mutating func hear(_ state: OwnershipState) -> [OwnershipChange.Kind] {
        mirror.received(state).compactMap { if case .changed(let change) = $0 { change.kind } else { nil } }
    }

    private mutating func hear(_ verdict: ResourceArbiter.Verdict) -> [OwnershipChange.Kind] {
        guard case .granted(let state) = verdict else { return [] }
        return hear(state)
    }

    /// Sends what is to be sent and hears the answers.
    private mutating func exchange() -> [OwnershipChange.Kind] {
        var kinds: [OwnershipChange.Kind] = []
        while let request = mirror.nextRequest() { kinds += hear(arbiter.phoneRequest(request)) }
        return kinds
    }

    @Test mutating func withoutAGoverningCarThePhoneHasEverything() {
        #expect(mirror.has(.mainAudio) && mirror.has(.screen) && mirror.take(.mainAudio, .niceToHave, take: .anyTime, borrow: .anyTime) == nil)
        #expect(mirror.connected(governed: false, resumed: false) == [])
        #expect(mirror.has(.mainAudio) && mirror.received(arbiter.phoneConnected()) == [] && mirror.nextRequest() == nil)
    }

    @Test mutating func playbackRadioAndCall() {
        begin()
        #expect(mirror.has(.screen) && !mirror.has(.mainAudio))
        #expect(mirror.take(.mainAudio, .userInitiated, take: .anyTime, borrow: .anyTime) == 1)
        #expect(exchange() == [.gained])
        #expect(hear(arbiter.carBorrows(.mainAudio, .userInitiated, unborrow: .never, reason: "call")) == [.lent])
        #expect(hear(arbiter.carReturns(.mainAudio)) == [.givenBack])
        #expect(hear(arbiter.carTakes(.mainAudio, .userInitiated, take: .userInitiated, borrow: .anyTime, reason: "radio")) == [.taken])
        #expect(hear(arbiter.carReturns(.mainAudio)) == [.freed])
        #expect(mirror.take(.mainAudio, .niceToHave, take: .anyTime, borrow: .anyTime) == 2)
        #expect(exchange() == [.gained])
        #expect(hear(arbiter.carBorrows(.mainAudio, .userInitiated, unborrow: .never, reason: "call")) == [.lent])
        #expect(hear(arbiter.carTakes(.mainAudio, .userInitiated, take: .userInitiated, borrow: .anyTime, reason: "radio")) == [.taken])
        #expect(mirror.borrow(.mainAudio, .userInitiated, unborrow: .never) == 3)
        #expect(exchange() == [.gained])
        #expect(mirror.giveBack(.mainAudio) == 4)
        #expect(exchange() == [.released])
    }

    @Test mutating func oneRequestAtATimeAndNoneBeforeTheFirstState() throws {
        _ = mirror.connected(governed: true, resumed: false)
        #expect(mirror.take(.mainAudio, .userInitiated, take: .anyTime, borrow: .anyTime) == 1)
        #expect(mirror.say(.with { $0.call = true }) == 2)
        #expect(mirror.nextRequest() == nil)
        hear(arbiter.phoneConnected())
        let next = mirror.nextRequest()
        let first = try #require(next)
        #expect(first.number == 1 && mirror.nextRequest() == nil)
        #expect(mirror.received(arbiter.phoneRequest(first)).contains(.answered(1, .none)))
        #expect(mirror.nextRequest()?.number == 2)
    }

    @Test(arguments: [false, true]) mutating func aCutLeavesNoDoubt(decided: Bool) throws {
        begin()
        _ = mirror.take(.mainAudio, .userInitiated, take: .anyTime, borrow: .anyTime)
        let next = mirror.nextRequest()
        let request = try #require(next)
        if decided { _ = arbiter.phoneRequest(request) }
        mirror.lost()
        #expect(mirror.connected(governed: true, resumed: true) == [])
        let events = mirror.received(arbiter.resumed())
        #expect(events.contains(.answered(1, .none)) == decided)
        #expect(mirror.nextRequest() == (decided ? nil : request))
    }

    @Test mutating func whenTheSessionEndsRequestsAreGivenUp() {
        begin()
        _ = mirror.take(.mainAudio, .userInitiated, take: .anyTime, borrow: .anyTime)
        _ = mirror.nextRequest()
        _ = mirror.giveBack(.screen)
        #expect(mirror.connected(governed: true, resumed: false) == [.givenUp(1), .givenUp(2)])
        #expect(mirror.ended() == [] && !mirror.isGoverned && mirror.has(.mainAudio))
    }

    @Test mutating func aHostileCarIsReadAsTheStricter() throws {
        begin()
        _ = mirror.take(.mainAudio, .userInitiated, take: .anyTime, borrow: .anyTime, reason: String(repeating: "🚗", count: 5_000))
        let next = mirror.nextRequest()
        let request = try #require(next)
        #expect(request.take.reason == String(repeating: "🚗", count: 16))
        let strange = OwnershipState.with {
            ($0.sequence, $0.answers, $0.refusal) = (.max, .max, .UNRECOGNIZED(-5))
            $0.screen = .with { ($0.owner, $0.borrower, $0.takeConstraint) = (.UNRECOGNIZED(9), .UNRECOGNIZED(8), .UNRECOGNIZED(7)) }
            $0.mainAudio = .with { ($0.owner, $0.borrower) = (.phone, .phone) }
            $0.carStates.speech = .UNRECOGNIZED(3)
        }
        #expect(!mirror.received(strange).contains { if case .answered = $0 { true } else { false } })
        let screen = try #require(mirror.holding(.screen))
        #expect(screen.holder == .car && screen.borrower == .none && screen.takeConstraint == .never)
        #expect(mirror.holding(.mainAudio)?.borrower == Owner.none && mirror.carStates.speech == .speaking)
        #expect(mirror.received(arbiter.phoneRequest(request)) == [], "nothing is newer than the last number")
        mirror.lost()
        #expect(mirror.connected(governed: true, resumed: true) == [])
        #expect(mirror.received(arbiter.resumed()).contains(.answered(1, .none)))
    }

    @Test mutating func aCrowdOfRequestsIsBounded() {
        begin()
        for _ in 0..<OwnershipLimits.maximumWaiting { #expect(mirror.giveBack(.mainAudio) != nil) }
        #expect(mirror.giveBack(.mainAudio) == nil)
    }
}
