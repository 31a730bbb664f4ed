import FasciaRawPeer
import FasciaWire

extension HeadUnitCases {
    /// A connection with ownership, and the first state; nil when the head unit does not open the channel.
    private static func governed(_ rig: HeadUnitRig, _ edit: (inout Hello) -> Void = { _ in }) throws -> (peer: Peer, welcome: Welcome, state: OwnershipState)? {
        let (peer, welcome) = try rig.session {
            $0.addSound()
            edit(&$0)
        }
        guard welcome.channels.contains(5) else { return nil }
        return (peer, welcome, try peer.ownership())
    }

    private static func take(_ resource: OwnedResource, _ request: inout OwnershipRequest) {
        request.take = .with {
            $0.resource = resource
            $0.priority = .userInitiated
            $0.takeConstraint = .anyTime
            $0.borrowConstraint = .anyTime
        }
    }

    /// spec/ownership.md.
    static let ownership: [Case<HeadUnitRig>] = [
        Case("ownership 2.1", "O-1", "O-10", title: "the first message tells the whole state: the screen is the phone's") { rig in
            guard let (_, _, state) = try governed(rig) else { return }
            if state.sequence == 0 || !state.hasScreen || !state.hasMainAudio { throw Deviation("not whole: \(state)") }
            if state.screen.owner == .none { throw Deviation("the screen is nobody's") }
            if state.phoneStates != AppStates() { throw Deviation("the phone is in app states: \(state.phoneStates)") }
            if state.answers != 0 { throw Deviation("it answers request \(state.answers), which was not asked") }
        },
        Case("ownership 2.2", "O-2", "O-4", "O-7", title: "take, take again, give back, give back again: one answer each, in order, sequence rising") { rig in
            guard let (peer, _, first) = try governed(rig), first.mainAudio.owner == .none else { return }
            var sequence = first.sequence
            let wanted: [(Owner, OwnershipRefusal)] = [(.phone, .none), (.phone, .none), (.none, .none), (.none, .notHeld)]
            for (index, (owner, refusal)) in wanted.enumerated() {
                let state = try peer.ask(UInt64(index + 1)) { index < 2 ? take(.mainAudio, &$0) : ($0.return = .with { $0.resource = .mainAudio }) }
                if state.sequence <= sequence { throw Deviation("sequence \(state.sequence) after \(sequence)") }
                sequence = state.sequence
                if state.mainAudio.owner != owner || state.refusal != refusal { throw Deviation("request \(index + 1): \(state)") }
            }
        },
        Case("ownership 2.2", "O-4", "O-6", title: "what makes no sense is INVALID, and changes nothing") { rig in
            guard let (peer, _, first) = try governed(rig) else { return }
            let odd: [(inout OwnershipRequest) -> Void] = [
                { _ in },
                { $0.take = .with { $0.resource = .unspecified; $0.priority = .userInitiated; $0.takeConstraint = .anyTime; $0.borrowConstraint = .anyTime } },
                { $0.take = .with { $0.resource = .UNRECOGNIZED(77); $0.priority = .UNRECOGNIZED(9) } },
                { $0.borrow = .with { $0.resource = .mainAudio } },
                { $0.states = .with { $0.speech = .UNRECOGNIZED(9) } },
                { take(.mainAudio, &$0); $0.take.reason = String(repeating: "r", count: 65) },
            ]
            for (index, edit) in odd.enumerated() {
                let state = try peer.ask(UInt64(index + 1), edit)
                if state.refusal != .invalid { throw Deviation("request \(index + 1) of no sense was answered with \(state.refusal)") }
                if state.mainAudio != first.mainAudio || state.screen != first.screen { throw Deviation("it changed something: \(state)") }
            }
            let skipped = try peer.ask(99) { take(.mainAudio, &$0) }
            if skipped.refusal != .invalid || skipped.mainAudio != first.mainAudio { throw Deviation("request 99 after \(odd.count): \(skipped)") }
            let next = try peer.ask(UInt64(odd.count + 1)) { take(.mainAudio, &$0) }
            if next.refusal == .invalid { throw Deviation("a wrong number spoilt the count") }
        },
        Case("ownership 4", "O-11", title: "the phone's app states are told back") { rig in
            guard let (peer, _, first) = try governed(rig), first.carStates == AppStates() else { return }
            let states = AppStates.with { $0.speech = .speaking; $0.turnByTurn = true }
            let state = try peer.ask(1) { $0.states = states }
            if state.refusal != .none || state.phoneStates != states { throw Deviation("\(state)") }
        },
        Case("ownership 5", "O-13", "O-14", "O-15", title: "a resumed session goes on, and its first state has the last answer") { rig in
            guard let (peer, first, before) = try governed(rig), before.mainAudio.owner == .none else { return }
            try show(peer)
            let taken = try peer.ask(1) { take(.mainAudio, &$0) }
            peer.abandon()
            guard let (again, second, state) = try governed(rig, {
                $0.resume.sessionID = first.sessionID
                $0.resume.token = first.resumeToken
            }) else { throw Deviation("the channel is not open after the resume") }
            if !second.hasResumed { throw Deviation("not resumed") }
            if state.answers != 1 || state.refusal != taken.refusal { throw Deviation("the first state answers \(state.answers) with \(state.refusal)") }
            if state.mainAudio.owner != taken.mainAudio.owner || state.sequence <= taken.sequence { throw Deviation("before: \(taken), now: \(state)") }
            let repeated = try again.ask(1) { $0.return = .with { $0.resource = .mainAudio } }
            if repeated.mainAudio.owner != taken.mainAudio.owner { throw Deviation("request 1 was decided twice") }
        },
        Case("ownership 3.4", "O-12", title: "what the phone had is nobody's when its session has ended") { rig in
            guard let (peer, _, before) = try governed(rig), before.mainAudio.owner == .none else { return }
            _ = try peer.ask(1) { take(.mainAudio, &$0) }
            _ = try peer.ask(2) { $0.states = .with { $0.call = true } }
            peer.goodbye()
            guard let (_, _, state) = try governed(rig) else { throw Deviation("the channel is not open in the next session") }
            if state.mainAudio.owner == .phone || state.phoneStates.call { throw Deviation("\(state)") }
        },
    ]
}
