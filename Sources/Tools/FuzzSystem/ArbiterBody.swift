import FasciaResources
import FasciaWire
import FuzzCore

/// Input: commands of a car, a phone and the way between them: wishes, deliveries, cuts, ends of sessions. When everything has arrived
/// both ends say the same.
@Sendable func checkArbiter(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    var world = OwnershipWorld()
    while !input.isEmpty {
        world.perform(&input)
        if let problem = world.problem { return problem }
    }
    world.settle()
    return world.problem ?? world.disagreement
}

private struct OwnershipWorld {
    private var arbiter = ResourceArbiter()
    private var mirror = ResourceMirror()
    private var isUp = false
    private var toCar: [OwnershipRequest] = []
    private var toPhone: [OwnershipState] = []
    private var open: Set<UInt64> = []
    private var sequence: UInt64 = 0
    var problem: String?

    mutating func perform(_ input: inout FuzzInput) {
        let command = input.byte()
        switch command & 15 {
        case 0, 1: car(command >> 4, input.byte())
        case 2, 3: phone(command >> 4, input.byte())
        case 4, 5, 6: deliver()
        case 7, 8, 9: answer()
        case 10: cut()
        case 11: begin(resumed: command & 16 == 0 && mirror.isGoverned)
        case 12: if !isUp { end() }
        case 13:
            // A request of a phone that keeps to nothing. It does not change what the honest one is told.
            guard let request = try? OwnershipRequest(serializedBytes: input.take(Int(input.byte()))) else { return }
            var other = arbiter
            let state = other.phoneRequest(request)
            if state.answers != request.number { problem = "a request of no sense was not answered" }
        default:
            // A car that keeps to nothing.
            guard let state = try? OwnershipState(serializedBytes: input.take(Int(input.byte()))) else { return }
            var other = mirror
            _ = other.received(state)
            if let bad = [other.holding(.screen), other.holding(.mainAudio)].compactMap({ $0 }).first(where: { $0.borrower != .none && $0.borrower == $0.owner }) {
                problem = "the phone believes \(bad)"
            }
        }
        ask()
        check()
    }

    private mutating func car(_ what: UInt8, _ how: UInt8) {
        let (resource, priority) = (Self.resource(how), Self.priority(how))
        let verdict = switch what & 3 {
        case 0: arbiter.carTakes(resource, priority, take: Self.constraint(how >> 2), borrow: Self.constraint(how >> 4), reason: "car")
        case 1: arbiter.carBorrows(resource, priority, unborrow: Self.constraint(how >> 2), reason: "car")
        case 2: arbiter.carReturns(resource)
        default: arbiter.carStates(Self.states(how))
        }
        if case .granted(let state) = verdict, isUp { tell(state) }
    }

    private mutating func phone(_ what: UInt8, _ how: UInt8) {
        let (resource, priority) = (Self.resource(how), Self.priority(how))
        let number = switch what & 3 {
        case 0: mirror.take(resource, priority, take: Self.constraint(how >> 2), borrow: Self.constraint(how >> 4), reason: "phone")
        case 1: mirror.borrow(resource, priority, unborrow: Self.constraint(how >> 2), reason: "phone")
        case 2: mirror.giveBack(resource)
        default: mirror.say(Self.states(how))
        }
        if let number, !open.insert(number).inserted { problem = "two requests are number \(number)" }
    }

    private mutating func ask() { if isUp, let request = mirror.nextRequest() { toCar.append(request) } }

    private mutating func answer() { if isUp, !toCar.isEmpty { tell(arbiter.phoneRequest(toCar.removeFirst())) } }

    private mutating func deliver() { if isUp, !toPhone.isEmpty { note(mirror.received(toPhone.removeFirst())) } }

    private mutating func tell(_ state: OwnershipState) {
        if state.sequence <= sequence { problem = "state \(state.sequence) after \(sequence)" }
        sequence = state.sequence
        toPhone.append(state)
    }

    private mutating func cut() {
        (isUp, toCar, toPhone) = (false, [], [])
        mirror.lost()
    }

    private mutating func end() {
        note(mirror.ended())
        arbiter.phoneGone()
        if !open.isEmpty { problem = "requests \(open.sorted()) were never answered" }
        open = []
    }

    private mutating func begin(resumed: Bool) {
        if isUp { cut() }
        if !resumed { end() }
        note(mirror.connected(governed: true, resumed: resumed))
        if !resumed { sequence = 0 }
        isUp = true
        tell(resumed ? arbiter.resumed() : arbiter.phoneConnected())
    }

    private mutating func note(_ events: [ResourceMirror.Event]) {
        for event in events {
            switch event {
            case .answered(let number, _), .givenUp(let number): if open.remove(number) == nil { problem = "request \(number) was answered and not open" }
            case .changed, .carStates: break
            }
        }
    }

    private mutating func check() {
        for holding in [arbiter.screen, arbiter.mainAudio] where holding.borrower != .none && holding.borrower == holding.owner { problem = "\(holding) lends to itself" }
        let (phone, car) = (arbiter.phoneStates, arbiter.carStates)
        if phone.call && car.call || phone.turnByTurn && car.turnByTurn || phone.speech != .none && car.speech != .none { problem = "both are in the same state" }
    }

    /// Everything arrives.
    mutating func settle() {
        if !isUp { begin(resumed: mirror.isGoverned) }
        ask()
        // Of an input every byte may have left a state under way, and each answer is one more.
        for _ in 0..<16_384 where !toPhone.isEmpty || !toCar.isEmpty {
            deliver()
            ask()
            answer()
        }
    }

    var disagreement: String? {
        guard let state = mirror.state else { return "the phone knows of no state" }
        if state.screen != arbiter.screen || state.mainAudio != arbiter.mainAudio { return "\(state) is not \(arbiter.state)" }
        if state.phoneStates != arbiter.phoneStates || state.carStates != arbiter.carStates { return "app states differ" }
        return open.isEmpty ? nil : "requests \(open.sorted()) were never answered"
    }

    private static func resource(_ byte: UInt8) -> OwnedResource { byte & 1 == 0 ? .screen : .mainAudio }
    private static func priority(_ byte: UInt8) -> OwnershipPriority { byte & 2 == 0 ? .userInitiated : .niceToHave }
    private static func constraint(_ byte: UInt8) -> OwnershipConstraint { [.anyTime, .userInitiated, .never, .anyTime][Int(byte & 3)] }
    private static func states(_ byte: UInt8) -> AppStates {
        .with { ($0.speech, $0.call, $0.turnByTurn) = ([.none, .speaking, .recognizing, .none][Int(byte & 3)], byte & 4 != 0, byte & 8 != 0) }
    }
}
