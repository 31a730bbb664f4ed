import FasciaResources
import FasciaWire
import Testing

/// Random walks: both ends over a connection that delays, is cut and comes back, or comes back as a new session.
@Suite struct WalkTests {
    private struct World {
        var arbiter = ResourceArbiter()
        var mirror = ResourceMirror()
        var isUp = false
        /// Not arrived yet, oldest first.
        var toCar: [OwnershipRequest] = []
        var toPhone: [OwnershipState] = []
        var random: SplitMix
        var asked: Set<UInt64> = []
        var answered: Set<UInt64> = []

        mutating func begin(resumed: Bool) {
            note(mirror.connected(governed: true, resumed: resumed))
            if !resumed { allAnswered() }
            (toCar, toPhone) = ([], [resumed ? arbiter.resumed() : arbiter.phoneConnected()])
            isUp = true
        }

        mutating func step() {
            switch random.below(12) {
            case 0 where isUp:
                (isUp, toCar, toPhone) = (false, [], [])
                mirror.lost()
            case 1 where !isUp && mirror.isGoverned: begin(resumed: random.below(4) > 0)
            case 1 where !isUp: begin(resumed: false)
            case 2 where !isUp && random.below(3) == 0:
                note(mirror.ended())
                allAnswered()
                arbiter.phoneGone()
            case 3, 4: car()
            case 5, 6: phone()
            case 7, 8: if isUp, !toPhone.isEmpty { note(mirror.received(toPhone.removeFirst())) }
            default: if isUp, !toCar.isEmpty { toPhone.append(arbiter.phoneRequest(toCar.removeFirst())) }
            }
            if isUp, let request = mirror.nextRequest() { toCar.append(request) }
        }

        mutating func settle() {
            if !isUp { begin(resumed: mirror.isGoverned) }
            while !toPhone.isEmpty || !toCar.isEmpty {
                if !toPhone.isEmpty { note(mirror.received(toPhone.removeFirst())) }
                if let request = mirror.nextRequest() { toCar.append(request) }
                if !toCar.isEmpty { toPhone.append(arbiter.phoneRequest(toCar.removeFirst())) }
            }
        }

        private mutating func car() {
            let verdict =
                switch random.below(4) {
                case 0: arbiter.carTakes(resource, priority, take: constraint, borrow: constraint, reason: "car")
                case 1: arbiter.carBorrows(resource, priority, unborrow: constraint, reason: "car")
                case 2: arbiter.carReturns(resource)
                default: arbiter.carStates(states)
                }
            if case .granted(let state) = verdict, isUp { toPhone.append(state) }
        }

        private mutating func phone() {
            let number =
                switch random.below(4) {
                case 0: mirror.take(resource, priority, take: constraint, borrow: constraint, reason: "phone")
                case 1: mirror.borrow(resource, priority, unborrow: constraint, reason: "phone")
                case 2: mirror.giveBack(resource)
                default: mirror.say(states)
                }
            if let number { #expect(asked.insert(number).inserted) }
        }

        private mutating func note(_ events: [ResourceMirror.Event]) {
            for event in events {
                switch event {
                case .answered(let number, let refusal):
                    #expect(refusal != .invalid && asked.contains(number) && answered.insert(number).inserted, "answered exactly once")
                case .givenUp(let number): #expect(asked.contains(number) && answered.insert(number).inserted)
                case .changed, .carStates: break
                }
            }
        }

        private mutating func allAnswered() {
            #expect(asked == answered)
            (asked, answered) = ([], [])
        }

        private var resource: OwnedResource { mutating get { random.below(2) == 0 ? .screen : .mainAudio } }
        private var priority: OwnershipPriority { mutating get { random.below(2) == 0 ? .niceToHave : .userInitiated } }
        private var constraint: OwnershipConstraint { mutating get { [.anyTime, .userInitiated, .never][random.below(3)] } }
        private var states: AppStates {
            mutating get { .with { ($0.speech, $0.call, $0.turnByTurn) = ([.none, .none, .speaking, .recognizing][random.below(4)], random.below(3) == 0, random.below(3) == 0) } }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func bothEndsAlwaysAgree(seed: UInt64) throws {
        var world = World(random: SplitMix(state: seed))
        for _ in 0..<20 {
            for _ in 0..<100 { world.step() }
            world.settle()
            let mirror = try #require(world.mirror.state), arbiter = world.arbiter
            #expect(mirror.screen == arbiter.screen && mirror.mainAudio == arbiter.mainAudio)
            #expect(mirror.phoneStates == arbiter.phoneStates && mirror.carStates == arbiter.carStates)
            for holding in [arbiter.screen, arbiter.mainAudio] { #expect(holding.borrower == .none || holding.borrower != holding.owner) }
            #expect(!(arbiter.carStates.call && arbiter.phoneStates.call))
        }
    }
}

private struct SplitMix {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }
}
