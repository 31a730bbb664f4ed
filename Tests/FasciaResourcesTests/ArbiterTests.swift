import FasciaResources
import FasciaWire
import Testing

/// What the head unit decides beside the table: sessions, the screen, app states, numbers, nonsense.
@Suite struct ArbiterTests {
    private var arbiter = ResourceArbiter()

    private mutating func ask(_ number: UInt64, _ request: OwnershipRequest.OneOf_Request?) -> OwnershipRefusal {
        let answer = arbiter.phoneRequest(.with {
            $0.number = number
            $0.request = request
        })
        #expect(answer.answers == number)
        return answer.refusal
    }

    private func take(_ resource: OwnedResource, _ priority: OwnershipPriority = .userInitiated, _ constraint: OwnershipConstraint = .anyTime) -> OwnershipRequest.OneOf_Request {
        .take(.with { ($0.resource, $0.priority, $0.takeConstraint, $0.borrowConstraint) = (resource, priority, constraint, constraint) })
    }

    @Test mutating func aSessionBeginsWithThePhonesScreenAndEndsWithoutIt() {
        let first = arbiter.phoneConnected()
        #expect(first.screen.owner == .phone && first.screen.takeConstraint == .userInitiated && first.screen.borrowConstraint == .anyTime && first.mainAudio == Holding())
        #expect(ask(1, take(.mainAudio)) == .none)
        #expect(ask(2, .states(.with { $0.call = true })) == .none)
        arbiter.phoneGone()
        #expect(arbiter.screen == Holding() && arbiter.mainAudio == Holding() && arbiter.phoneStates == AppStates())
    }

    @Test mutating func whatTheCarHasOutlivesSessions() {
        #expect(arbiter.carTakes(.mainAudio, .userInitiated, take: .userInitiated, borrow: .anyTime, reason: "radio").isGranted)
        #expect(arbiter.carBorrows(.screen, .userInitiated, unborrow: .never, reason: "reverse").isGranted)
        let first = arbiter.phoneConnected()
        #expect(first.mainAudio.owner == .car && first.screen.owner == .phone && first.screen.borrower == .car && first.screen.holder == .car)
        arbiter.phoneGone()
        #expect(arbiter.screen.owner == .none && arbiter.screen.borrower == .car && arbiter.screen.unborrowConstraint == .never)
    }

    @Test mutating func aScreenTheCarGivesBackIsThePhones() {
        _ = arbiter.phoneConnected()
        #expect(arbiter.carTakes(.screen, .niceToHave, take: .never, borrow: .never, reason: "") == .refused(.constraint))
        #expect(arbiter.carTakes(.screen, .userInitiated, take: .never, borrow: .never, reason: "").isGranted)
        #expect(arbiter.screen.owner == .car)
        #expect(arbiter.carReturns(.screen).isGranted)
        #expect(arbiter.screen.owner == .phone && arbiter.screen.takeConstraint == .userInitiated)
        #expect(arbiter.carReturns(.screen) == .refused(.notHeld))
    }

    @Test mutating func noPhoneKeepsTheReversingCameraDark() {
        _ = arbiter.phoneConnected()
        #expect(ask(1, take(.screen, .userInitiated, .never)) == .none)
        #expect(arbiter.carTakes(.screen, .userInitiated, take: .never, borrow: .anyTime, reason: "").isGranted)
        #expect(ask(2, .borrow(.with { ($0.resource, $0.priority, $0.unborrowConstraint) = (.screen, .userInitiated, .never) })) == .none)
        #expect(arbiter.carBorrows(.screen, .userInitiated, unborrow: .never, reason: "reverse").isGranted)
        #expect(arbiter.screen.holder == .car)
        #expect(ask(3, take(.screen)) == .constraint)
    }

    @Test mutating func appStatesAreExclusive() {
        _ = arbiter.phoneConnected()
        #expect(ask(1, .states(.with { ($0.speech, $0.call) = (.speaking, true) })) == .none)
        #expect(arbiter.carStates(.with { $0.call = true }) == .refused(.stateTaken))
        #expect(arbiter.carStates(.with { $0.speech = .recognizing }) == .refused(.stateTaken))
        #expect(arbiter.carStates(.with { $0.turnByTurn = true }).isGranted)
        #expect(ask(2, .states(.with { ($0.speech, $0.turnByTurn) = (.recognizing, true) })) == .stateTaken)
        #expect(arbiter.phoneStates.call, "a refused request changes nothing")
        #expect(ask(3, .states(AppStates())) == .none)
        #expect(arbiter.carStates(.with { ($0.call, $0.speech) = (true, .speaking) }).isGranted)
    }

    @Test mutating func numbersAreKeptTo() {
        #expect(ask(1, take(.mainAudio)) == .invalid, "there is no session")
        _ = arbiter.phoneConnected()
        for wrong in [0, 2, .max] as [UInt64] { #expect(ask(wrong, take(.mainAudio)) == .invalid) }
        #expect(arbiter.mainAudio == Holding())
        #expect(ask(1, take(.mainAudio)) == .none)
        #expect(ask(1, .return(.with { $0.resource = .mainAudio })) == .invalid, "no request is decided twice")
        #expect(arbiter.mainAudio.owner == .phone)
        let again = arbiter.resumed()
        #expect(again.answers == 1 && again.refusal == .none)
        #expect(ask(2, .return(.with { $0.resource = .screen })) == .none)
        #expect(arbiter.phoneConnected().answers == 0)
        #expect(ask(1, take(.mainAudio)) == .none)
    }

    @Test mutating func nonsenseIsRefused() {
        _ = arbiter.phoneConnected()
        let before = arbiter.state
        let strange: [OwnershipRequest.OneOf_Request?] = [
            nil, take(.unspecified), take(.UNRECOGNIZED(77)), take(.mainAudio, .unspecified), take(.mainAudio, .UNRECOGNIZED(-1)),
            take(.mainAudio, .userInitiated, .unspecified), take(.mainAudio, .userInitiated, .UNRECOGNIZED(.max)),
            .borrow(.with { ($0.resource, $0.priority) = (.mainAudio, .niceToHave) }),
            .borrow(.with { ($0.resource, $0.priority, $0.unborrowConstraint, $0.reason) = (.mainAudio, .niceToHave, .anyTime, String(repeating: "é", count: 33)) }),
            .return(.with { $0.resource = .UNRECOGNIZED(3) }), .states(.with { $0.speech = .UNRECOGNIZED(9) }),
        ]
        for (index, request) in strange.enumerated() { #expect(ask(UInt64(index) + 1, request) == .invalid) }
        #expect(arbiter.screen == before.screen && arbiter.mainAudio == before.mainAudio && arbiter.phoneStates == before.phoneStates)
        #expect(arbiter.state.sequence == before.sequence + UInt64(strange.count))
    }

    @Test mutating func aRadioSwitchedOnDuringAPhoneCallPlaysAfterIt() {
        _ = arbiter.phoneConnected()
        #expect(ask(1, .borrow(.with { ($0.resource, $0.priority, $0.unborrowConstraint) = (.mainAudio, .userInitiated, .never) })) == .none)
        #expect(arbiter.carTakes(.mainAudio, .userInitiated, take: .userInitiated, borrow: .anyTime, reason: "radio").isGranted)
        #expect(arbiter.mainAudio.holder == .phone)
        #expect(ask(2, .return(.with { $0.resource = .mainAudio })) == .none)
        #expect(arbiter.mainAudio.holder == .car)
    }
}
