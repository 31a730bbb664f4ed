import FasciaEvents
import FasciaWire

extension HeadUnit {
    /// Why an input cannot go to the phone; nil when it can.
    func inputProblem(_ device: ScreenProfile.Input) -> String? {
        guard options.profile.inputs.contains(device) else {
            let has = options.profile.inputs.map(\.rawValue).sorted().joined(separator: ", ")
            return "screen profile \(options.profile.name) has no \(device.rawValue), only \(has)"
        }
        guard let session else { return "no phone is connected" }
        guard link != nil else { return "the connection to \(session.peer.name) is lost, it is being waited for" }
        if carHasScreen, device != .keys { return "the car has the screen (\(arbiter.screen.reason)), input is not for the phone" }
        return nil
    }

    /// Keys that move about on a screen that is the car's now go nowhere (spec/ownership.md, O-21).
    func keyProblem(_ key: KeyEvent.Key) -> String? {
        carHasScreen && (key == .home || key == .back) ? "the car has the screen (\(arbiter.screen.reason)), input is not for the phone" : nil
    }

    /// What a button of the car's does.
    private func pressed(_ target: CarTarget) {
        switch target {
        case .ground: break
        case .answerCall: _ = carCall(.start)
        case .endCall: _ = carCall(.end)
        }
    }

    /// What gets input now. What comes while there is no connection is dropped: nobody wants it to happen later.
    private func receiver(_ device: ScreenProfile.Input) -> InputReporter.Receiver? {
        guard inputProblem(device) == nil, let session, let link else { return nil }
        return InputReporter.Receiver(session: session, link: link)
    }

    func touch(_ phase: TouchEvent.Phase, x: Double, y: Double) {
        switch contact.route(phase, x: x, y: y, target: display.target(x, y), isCars: carHasScreen) {
        case .phone: break
        case .nobody: return
        case .pressed(let target): return pressed(target)
        }
        guard let receiver = receiver(.touch) else { return }
        input.touch(phase, x: max(0, min(Double(options.profile.width) - 1, x)), y: max(0, min(Double(options.profile.height) - 1, y)),
                    to: receiver, now: MonotonicClock.now())
    }

    func knob(_ action: KnobEvent.Action, detents: Int = 0) {
        guard let receiver = receiver(.knob) else { return }
        input.knob(action, detents: detents, to: receiver, now: MonotonicClock.now())
    }

    func key(_ key: KeyEvent.Key, pressed: Bool) {
        guard keyProblem(key) == nil, let receiver = receiver(.keys) else { return }
        input.key(key, pressed: pressed, to: receiver, now: MonotonicClock.now())
    }

    func touchpad(_ phase: TouchpadEvent.Phase, dx: Double, dy: Double) {
        guard let receiver = receiver(.touchpad) else { return }
        input.touchpad(phase, dx: dx, dy: dy, to: receiver, now: MonotonicClock.now())
    }

    /// What a person did at the window.
    func handle(_ surfaceInput: SurfaceInput) {
        switch surfaceInput {
        case .touch(.began, let x, let y): touch(.began, x: x, y: y)
        case .touch(.moved, let x, let y): touch(.moved, x: x, y: y)
        case .touch(.ended, let x, let y): touch(.ended, x: x, y: y)
        case .knobTurn(let detents): knob(.rotate, detents: detents)
        case .knobPress(let pressed): knob(pressed ? .press : .release)
        case .nudge(let direction): knob(direction.action)
        case .key(let key, let pressed): self.key(key.wire, pressed: pressed)
        case .touchpad(.began, _, _): touchpad(.began, dx: 0, dy: 0)
        case .touchpad(.moved, let dx, let dy): touchpad(.moved, dx: dx, dy: dy)
        case .touchpad(.ended, _, _): touchpad(.ended, dx: 0, dy: 0)
        case .toggleNight: setNight(!vehicle.night)
        case .exposed: display.exposed()
        case .closed: break
        }
    }
}

extension SurfaceInput.Nudge {
    fileprivate var action: KnobEvent.Action {
        switch self {
        case .up: .nudgeUp
        case .down: .nudgeDown
        case .left: .nudgeLeft
        case .right: .nudgeRight
        }
    }
}

extension SurfaceInput.Key {
    fileprivate var wire: KeyEvent.Key {
        switch self {
        case .home: .home
        case .back: .back
        case .play: .play
        case .next: .next
        case .previous: .previous
        case .voice: .voice
        }
    }
}
