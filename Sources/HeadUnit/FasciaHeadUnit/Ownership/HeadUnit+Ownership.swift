import FasciaEvents
import FasciaResources
import FasciaWire

/// Who has screen and main audio: the phone's requests, what it is told, what follows in the car.
extension HeadUnit {
    /// The car's own picture is on the screen, and input is not for the phone.
    var carHasScreen: Bool { arbiter.screen.holder == .car }

    /// A session has begun.
    func ownershipBegins() {
        let before = arbiter
        _ = arbiter.phoneConnected() // told when the connection is up
        ownershipChanged(since: before, [], isSessions: true)
    }

    /// The session has a connection now: its first state.
    func ownershipAttached() {
        phoneIsGoverned = link?.opens(.ownership) == true
        tellSound()
        tellPhone([arbiter.resumed()])
    }

    /// The session is over.
    func ownershipEnds() {
        let before = arbiter
        arbiter.phoneGone()
        ownershipChanged(since: before, [], isSessions: true)
    }

    func ownershipRequested(_ body: [UInt8]) throws(PhoneSession.Violation) {
        guard let request = try? OwnershipRequest(serializedBytes: body) else {
            throw PhoneSession.Violation(code: CloseCode.badMessage, detail: "OwnershipRequest cannot be decoded")
        }
        let before = arbiter
        let answer = arbiter.phoneRequest(request)
        if answer.refusal != .none {
            events.emit("ownership-refused", ["number": .unsigned(request.number), "refusal": .string(answer.refusal.text)], narrated: false)
        }
        ownershipChanged(since: before, [answer])
    }

    /// Tells everybody: the car's sound first, for a phone that hears that it may play starts a stream at once, then the phone, the
    /// log, the screen.
    /// - Parameter isSessions: it came with the beginning or end of a session, whose event says what becomes of the screen.
    func ownershipChanged(since before: ResourceArbiter, _ states: [OwnershipState], isSessions: Bool = false) {
        // Taken from the radio: it is off, and does not come back by itself.
        if functions.radio, arbiter.mainAudio.owner != .car { functions.radio = false }
        tellSound()
        tellPhone(states)
        if !isSessions { emit(.screen, before.screen, arbiter.screen) }
        emit(.mainAudio, before.mainAudio, arbiter.mainAudio)
        if before.phoneStates != arbiter.phoneStates || before.carStates != arbiter.carStates {
            events.emit("app-states", ["phone": .array(arbiter.phoneStates.names.map { .string($0) }), "car": .array(arbiter.carStates.names.map { .string($0) })], narrated: false)
        }
        if before.screen.holder != .car, carHasScreen { loseContact() }
        watchCall()
        refresh()
    }

    private func tellPhone(_ states: [OwnershipState]) {
        guard phoneIsGoverned, let link else { return }
        for state in states {
            if let body: [UInt8] = try? state.serializedBytes() { link.send(channel: .ownership, type: MessageType.ownershipState, body: body) }
        }
    }

    private func tellSound() {
        let state = CarSoundState(functions, mainAudio: arbiter.mainAudio, governed: phoneIsGoverned)
        guard state != soundState else { return }
        if state.radio, !soundState.radio { radioBegins() }
        soundState = state
        sound.apply(state)
        onSoundState?(state)
    }

    private func emit(_ resource: OwnedResource, _ before: Holding, _ now: Holding) {
        guard (before.owner, before.borrower, before.reason) != (now.owner, now.borrower, now.reason) else { return }
        events.emit("ownership", [
            "resource": .string(resource.text), "owner": .string(now.owner.text), "borrower": .string(now.borrower.text), "holder": .string(now.holder.text),
            "reason": .string(now.reason),
        ])
    }

    /// The finger that is down is not the phone's any more.
    private func loseContact() {
        guard let point = contact.screenLost(), let session, let link else { return }
        input.touch(.cancelled, x: point.x, y: point.y, to: .init(session: session, link: link), now: MonotonicClock.now())
    }
}

extension HeadUnit {
    /// For `stats`.
    var ownershipReport: OwnershipReport {
        OwnershipReport(
            screen: .init(arbiter.screen), main_audio: .init(arbiter.mainAudio), phone_states: arbiter.phoneStates.names, car_states: arbiter.carStates.names,
            radio: functions.radio, call: functions.call != nil, reverse_gear: functions.reverse)
    }
}

/// The part of `stats` that says who has what.
struct OwnershipReport: Encodable {
    struct Resource: Encodable {
        var owner: String
        var borrower: String
        var reason: String

        init(_ holding: Holding) { (owner, borrower, reason) = (holding.owner.text, holding.borrower.text, holding.reason) }
    }
    var screen: Resource
    var main_audio: Resource
    var phone_states: [String]
    var car_states: [String]
    var radio: Bool
    var call: Bool
    var reverse_gear: Bool
}
