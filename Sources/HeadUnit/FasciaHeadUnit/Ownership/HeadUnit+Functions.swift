import FasciaEvents
import FasciaResources
import FasciaWire

/// Radio, call and reverse gear: what the driver does in the car itself.
extension HeadUnit {
    /// - Returns: why not; nil when it is done.
    func setRadio(_ on: Bool) -> String? {
        guard on != functions.radio else { return nil }
        var wanted = functions
        wanted.radio = on
        return carry(out: wanted)
    }

    func carCall(_ step: CarCallStep) -> String? {
        var wanted = functions
        switch (step, functions.call) {
        case (.ring, nil): wanted.call = .ringing
        case (.start, nil), (.start, .ringing): wanted.call = .talking(since: MonotonicClock.now())
        case (.end, .some): wanted.call = nil
        case (.ring, .some), (.start, .some): return "the car is in a call already"
        case (.end, nil): return "the car is in no call"
        }
        return carry(out: wanted)
    }

    func setReverseGear(_ on: Bool) -> String? {
        guard on != functions.reverse else { return nil }
        var wanted = functions
        wanted.reverse = on
        return carry(out: wanted)
    }

    /// Brings ownership in line with `wanted`, as a whole or not at all.
    private func carry(out wanted: CarFunctions) -> String? {
        var trial = arbiter
        var states: [OwnershipState] = []
        for step in Self.steps(from: functions, to: wanted, arbiter) {
            switch step(&trial) {
            case .granted(let state): states.append(state)
            case .refused(let refusal): return "the phone does not allow it: \(words(refusal))"
            }
        }
        let before = arbiter
        arbiter = trial
        functions = wanted
        ownershipChanged(since: before, states)
        return nil
    }

    private typealias Step = (inout ResourceArbiter) -> ResourceArbiter.Verdict

    private static func steps(from old: CarFunctions, to new: CarFunctions, _ arbiter: ResourceArbiter) -> [Step] {
        var steps: [Step] = []
        if old.reverse != new.reverse {
            steps.append(new.reverse
                ? { $0.carBorrows(.screen, .userInitiated, unborrow: .never, reason: "reverse") }
                : { $0.carReturns(.screen) })
        }
        if (old.call != nil) != (new.call != nil) {
            var states = arbiter.carStates
            states.call = new.call != nil
            steps.append { $0.carStates(states) }
        }
        if old.radio != new.radio || (old.call != nil) != (new.call != nil) { steps += mainAudio(new, owns: arbiter.mainAudio.owner == .car, had: old) }
        return steps
    }

    /// A call is protected from being taken away, also when the car owns main audio for the radio: nobody borrows from oneself.
    private static func mainAudio(_ new: CarFunctions, owns: Bool, had old: CarFunctions) -> [Step] {
        switch (new.call != nil, new.radio) {
        case (true, true): [{ $0.carTakes(.mainAudio, .userInitiated, take: .never, borrow: .never, reason: "call") }]
        case (true, false) where old.call != nil: [] // the radio went off: what the call has stays
        case (true, false): [{ $0.carBorrows(.mainAudio, .userInitiated, unborrow: .never, reason: "call") }]
        case (false, true): [{ $0.carTakes(.mainAudio, .userInitiated, take: .userInitiated, borrow: .anyTime, reason: "radio") }]
        case (false, false): [{ $0.carReturns(.mainAudio) }]
        }
    }

    private func words(_ refusal: OwnershipRefusal) -> String {
        switch refusal {
        case .stateTaken: "it is in a call or speaks itself"
        case .constraint:
            arbiter.mainAudio.reason.isEmpty ? "it keeps main audio" : "it keeps main audio (\(arbiter.mainAudio.reason))"
        case .none, .notHeld, .invalid, .UNRECOGNIZED: "\(refusal)"
        }
    }
}
