import FasciaAudioSession
import FasciaEvents
import FasciaResources
import FasciaWire
import Testing
@testable import FasciaPhone

/// What the sound's wishes become, and what the car's changes become for sound and screen.
@MainActor
@Suite struct OwnershipTests {
    /// A car that answers at once, or when it is let.
    final class Car: OwnershipLink {
        var arbiter = ResourceArbiter()
        let isGoverned: Bool
        private(set) var requests: [OwnershipRequest] = []
        /// Of the requests.
        var decided = 0

        init(isGoverned: Bool = true) { self.isGoverned = isGoverned }

        func send(_ request: [UInt8]) {
            if let request = try? OwnershipRequest(serializedBytes: request) { requests.append(request) }
        }
    }

    @MainActor final class Heard {
        var mainAudio: [MainAudio] = []
        var screen: [Bool] = []
        var refused: [AudioApp] = []
        var states: [AudioStates] = []
    }

    let ownership: PhoneOwnership
    let heard = Heard()
    let car = Car()

    init() throws {
        ownership = PhoneOwnership(events: try EventLog(path: nil, narrate: { _ in }))
        let heard = heard
        ownership.onMainAudio = { heard.mainAudio.append($0) }
        ownership.onScreen = { heard.screen.append($0) }
        ownership.onRefused = { heard.refused.append($0) }
        ownership.onCarStates = { heard.states.append($0) }
    }

    private func hear(_ state: OwnershipState) throws { try ownership.receive(try state.serializedBytes()) }

    private func hear(_ verdict: ResourceArbiter.Verdict) throws {
        guard case .granted(let state) = verdict else { throw CancellationError() }
        try hear(state)
    }

    /// The car decides what it was asked.
    private func answer() throws {
        while car.decided < car.requests.count {
            car.decided += 1
            try hear(car.arbiter.phoneRequest(car.requests[car.decided - 1]))
        }
    }

    private func begin() throws {
        ownership.attach(car, resumed: false)
        try hear(car.arbiter.phoneConnected())
    }

    @Test func aCarThatDoesNotSpeakOfItLeavesThePhoneEverything() {
        ownership.attach(Car(isGoverned: false), resumed: false)
        ownership.wish(.take(isUserInitiated: true))
        #expect(ownership.mainAudio == .held && ownership.hasScreen && heard.refused == [] && heard.mainAudio == [])
    }

    @Test func playbackCallAndRadio() throws {
        try begin()
        #expect(ownership.mainAudio == .free)
        ownership.wish(.take(isUserInitiated: true))
        try answer()
        try hear(car.arbiter.carBorrows(.mainAudio, .userInitiated, unborrow: .never, reason: "call"))
        try hear(car.arbiter.carReturns(.mainAudio))
        try hear(car.arbiter.carTakes(.mainAudio, .userInitiated, take: .userInitiated, borrow: .anyTime, reason: "radio"))
        ownership.wish(.take(isUserInitiated: false), for: "a")
        try answer()
        #expect(heard.refused == ["a"])
        try hear(car.arbiter.carReturns(.mainAudio))
        #expect(heard.mainAudio == [.free, .held, .lost(lent: true), .held, .lost(lent: false), .free])
        ownership.ended()
        #expect(heard.mainAudio.last == .held)
    }

    @Test func aCallProtectsWhatThePhoneOwnsAndLeavesItAfterwards() throws {
        try begin()
        ownership.wish(.take(isUserInitiated: true))
        ownership.say(AudioStates(call: true))
        ownership.wish(.borrow(call: true))
        try answer()
        #expect(car.arbiter.mainAudio.owner == .phone && car.arbiter.mainAudio.takeConstraint == .never && car.arbiter.phoneStates.call)
        ownership.wish(.giveBack)
        try answer()
        #expect(car.arbiter.mainAudio.owner == .phone && car.arbiter.mainAudio.takeConstraint == .anyTime)
        #expect(heard.mainAudio == [.free, .held])
    }

    @Test func aCallBorrowsWhatIsTheCarsAndGivesItBack() throws {
        try begin()
        try hear(car.arbiter.carTakes(.mainAudio, .userInitiated, take: .userInitiated, borrow: .anyTime, reason: "radio"))
        ownership.wish(.borrow(call: true))
        try answer()
        #expect(car.arbiter.mainAudio.borrower == .phone && car.arbiter.mainAudio.unborrowConstraint == .never)
        ownership.wish(.giveBack)
        try answer()
        #expect(car.arbiter.mainAudio.holder == .car)
        #expect(heard.mainAudio == [.free, .lost(lent: false), .borrowed, .lost(lent: false)])
    }

    @Test func aNewCarIsToldWhatThePhoneIsIn() throws {
        try begin()
        ownership.say(AudioStates(speech: .speaking))
        ownership.say(AudioStates(call: true))
        try answer()
        ownership.ended()
        let next = Car()
        ownership.attach(next, resumed: false)
        #expect(next.requests.isEmpty)
        try hear(next.arbiter.phoneConnected())
        #expect(next.requests.map(\.number) == [1] && next.requests.first?.states.call == true)
    }

    @Test func theScreenIsLentAndTheCarsStatesAreHeard() throws {
        try begin()
        try hear(car.arbiter.carBorrows(.screen, .userInitiated, unborrow: .never, reason: "reverse"))
        try hear(car.arbiter.carStates(.with { $0.call = true }))
        try hear(car.arbiter.carReturns(.screen))
        #expect(heard.screen == [false, true] && heard.states == [AudioStates(call: true)])
    }

    @Test func aWishThatACutSwallowedIsAskedAgainAndOneThatASessionSwallowedIsRefused() throws {
        try begin()
        ownership.wish(.take(isUserInitiated: true), for: "a")
        ownership.detach()
        let second = Car()
        second.arbiter = car.arbiter
        ownership.attach(second, resumed: true)
        try hear(second.arbiter.resumed())
        #expect(second.requests == car.requests && second.requests.count == 1)
        ownership.ended()
        #expect(heard.refused == ["a"] && heard.mainAudio.last == .held)
    }

    /// The app was told that nothing came of it while the connection was away: the radio must not fall silent when it is back.
    @Test func whatNobodyWaitsForAnyMoreIsNotAskedOnTheNextConnection() throws {
        try begin()
        ownership.detach()
        ownership.wish(.take(isUserInitiated: true))
        ownership.wish(.withdraw)
        ownership.wish(.giveBack)
        ownership.attach(car, resumed: true)
        try hear(car.arbiter.resumed())
        try answer()
        #expect(car.requests.count == 1 && car.requests.first?.return.resource == .mainAudio)
        #expect(heard.refused == [], "nobody waits for what becomes of giving back")
    }
}
